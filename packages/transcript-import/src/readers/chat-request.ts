import type { JsonValue, ToolSchema } from '@dsh/llm'
import type { EpochHeader } from '@dsh/session'
import type { Fields } from '../fields.js'
import { isRecord } from '../json-value.js'
import type { ReaderOptions } from './reader.js'

/** What stands for a provider or model that nobody knows. */
export const UNKNOWN = 'unknown'

/** The parts of a request beside its messages, as a chat API or a tool's records name them. */
export interface RequestParts {
  readonly provider?: string | undefined
  readonly model?: string | undefined
  readonly system?: string | undefined
  readonly tools?: readonly ToolSchema[] | undefined
  readonly reasoningEffort?: string | undefined
  readonly temperature?: number | undefined
  readonly maxTokens?: number | undefined
  readonly stop?: readonly string[] | undefined
}

/** A header of the parts that are there; undefined when they say nothing beyond the route. */
export function requestHeader(parts: RequestParts): EpochHeader | undefined {
  const { provider, model, system, tools, reasoningEffort, temperature, maxTokens, stop } = parts
  const settings = {
    ...(reasoningEffort !== undefined && { reasoningEffort }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(stop !== undefined && { stop }),
  }
  if (system === undefined && tools === undefined && Object.keys(settings).length === 0) return undefined
  return {
    config: { provider: provider || UNKNOWN, model: model || UNKNOWN, ...settings },
    ...(system !== undefined && { system }),
    ...(tools !== undefined && { tools }),
  }
}

/** The parameters of a chat request that both APIs call by the same name. */
export function readSettings(fields: Fields): Pick<RequestParts, 'temperature' | 'maxTokens' | 'stop'> {
  return {
    temperature: fields.number('temperature'),
    maxTokens: fields.count('max_tokens') ?? fields.count('max_completion_tokens'),
    stop: readStop(fields, 'stop') ?? readStop(fields, 'stop_sequences'),
  }
}

/**
 * Tools of a list; undefined, with the list left unread, where one of them is not of the known shape.
 * @param read gives the tool of an item
 */
export function readTools(
  fields: Fields,
  key: string,
  read: (item: JsonValue) => ToolSchema | undefined,
): ToolSchema[] | undefined {
  const items = fields.peek(key)
  if (!Array.isArray(items)) return undefined
  const tools = items.map(read)
  if (tools.some(tool => tool === undefined)) return undefined
  fields.take(key)
  return tools as ToolSchema[]
}

/** A tool with exactly a name, a description and a schema, the last under the key `schema`. */
export function toolSchema(item: JsonValue | undefined, schema: string): ToolSchema | undefined {
  if (!isRecord(item)) return undefined
  const { name, description = '', [schema]: parameters = {}, ...rest } = item
  if (typeof name !== 'string' || name === '' || typeof description !== 'string' || !isRecord(parameters))
    return undefined
  return Object.keys(rest).length === 0 ? { name, description, parameters } : undefined
}

/** The route of an answer. */
export function routeOf(
  { provider, model }: ReaderOptions,
  known: { readonly provider?: string | undefined; readonly model?: string | undefined } = {},
): { provider: string; model: string } {
  return { provider: known.provider || provider || UNKNOWN, model: known.model || model || UNKNOWN }
}

function readStop(fields: Fields, key: string): string[] | undefined {
  const value = fields.peek(key)
  if (typeof value === 'string') return [fields.text(key)!]
  if (!Array.isArray(value) || !value.every(item => typeof item === 'string')) return undefined
  fields.take(key)
  return value
}
