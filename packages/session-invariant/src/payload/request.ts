import { count, exactly, list, name, number, ordinal, record, type Shape, text } from './shape.js'

const config = exactly(
  { provider: name, model: name },
  { reasoningEffort: text, temperature: number, maxTokens: count, stop: list(text) },
)

const tool = exactly({ name, description: text, parameters: record })

/** What a request is made of beside the messages. */
export const header: Shape = exactly({ config }, { system: text, tools: list(tool) })

/** Capacity of a model route. */
export const requestContext: Shape = exactly({ provider: name, model: name, contextWindow: ordinal })
