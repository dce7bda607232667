import type { CallId } from './ids.js'
import type { JsonValue } from './json.js'

/** Typed by a person. */
export interface UserSource {
  readonly kind: 'user'
}

/** Injected by a plugin on the model's behalf. */
export interface PluginSource {
  readonly kind: 'plugin'
  readonly plugin: string
}

/** Written by a model. `replayState` is private to the adapter of `provider` and handed back to it verbatim. */
export interface ModelSource {
  readonly kind: 'model'
  readonly provider: string
  readonly model: string
  readonly replayState?: JsonValue
}

/** Produced by the tool that answered `callId`. */
export interface ToolSource {
  readonly kind: 'tool'
  readonly callId: CallId
}

/** Where a message came from, by kind. Merge-extensible. */
export interface MessageSourceMap {
  user: UserSource
  plugin: PluginSource
  model: ModelSource
  tool: ToolSource
}

/** Where a message came from. */
export type MessageSource = MessageSourceMap[keyof MessageSourceMap]
