import type { JsonObject } from './json.js'

/** A tool as the model sees it. `parameters` is a JSON Schema. */
export interface ToolSchema {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
}
