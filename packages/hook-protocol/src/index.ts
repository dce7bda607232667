// `export *` carries the declaration merging on `@dsh/session` along.
export * from './block-prompt.js'
export * from './events.js'
export * from './record-hook.js'
