// `export *` carries the declaration merging on `@dsh/session` along.
export * from './events.js'
export * from './format.js'
export * from './import.js'
export * from './import-options.js'
export * from './import-stream.js'
export * from './report.js'
export type { ImportStep } from './run-sessions.js'
export type { TranscriptSource } from './source/chunks.js'
