// `export *` carries the declaration merging on `@dsh/session` along.
export * from './compact.js'
export * from './context-fill.js'
export * from './events.js'
export { type CompactionRange, type OldestRangeOptions, oldestRange, wholeRange } from './range.js'
