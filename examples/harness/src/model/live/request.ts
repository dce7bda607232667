import { providerTranscript } from '@dsh/llm'
import { jsonSchema, type streamText, type ToolSet, tool } from 'ai'
import type { ModelRequest } from '../provider.ts'
import { modelMessages } from './messages.ts'

type SdkOptions = Parameters<typeof streamText>[0]

/** A request as the SDK takes it: a pure function of the request, so that the log decides what goes over the wire. */
export function sdkRequest({ header, messages }: ModelRequest) {
  const { config, system, tools = [] } = header
  return {
    ...(system !== undefined && { instructions: system }),
    messages: modelMessages(providerTranscript(messages).messages, config),
    ...(tools.length > 0 && { tools: toolSet(tools), toolOrder: tools.map(({ name }) => name) }),
    ...(config.maxTokens !== undefined && { maxOutputTokens: config.maxTokens }),
    ...(config.temperature !== undefined && { temperature: config.temperature }),
    ...(config.stop !== undefined && { stopSequences: [...config.stop] }),
    ...(config.reasoningEffort !== undefined && { reasoning: config.reasoningEffort as SdkOptions['reasoning'] }),
  }
}

/** The tools without anything to run them: that is the loop's. */
function toolSet(tools: NonNullable<ModelRequest['header']['tools']>): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters as Parameters<typeof jsonSchema>[0]) }),
    ]),
  )
}
