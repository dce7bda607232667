export * from './lock/lock-files.js'
export { createLocker } from './lock/locker.js'
export * from './lock/ownership.js'
export { sessionSlug } from './lock/session-slug.js'
