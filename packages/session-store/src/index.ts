// `export *` carries the declaration merging on `cordis` along.
export * from './events.js'
export * from './listen.js'
export * from './scope.js'
export * from './store.js'
export { SessionStore as default } from './store.js'
