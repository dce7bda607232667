// `export *` carries the declaration merging on `cordis` along.
export * from './core-rules.js'
export * from './events.js'
export * from './find-violations.js'
export * from './log-monitor.js'
/** Checks for the shape of a payload: exact fields for known kinds, unknown kinds let through. */
export * as shape from './payload/index.js'
export * from './rule.js'
export * from './rule-table.js'
export * from './session-invariant.js'
export { SessionInvariant as default } from './session-invariant.js'
export * from './violation.js'
