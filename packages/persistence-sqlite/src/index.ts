export * from './driver.js'
export type { SqliteDriverOptions } from './options.js'
export * from './sqlite-persistence.js'
export { SqlitePersistence as default } from './sqlite-persistence.js'
