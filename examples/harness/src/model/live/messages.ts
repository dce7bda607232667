import { type AssistantMessage, isToolResultBlock, type JsonObject, type Message, messageText } from '@dsh/llm'
import type { AssistantContent, ModelMessage, ToolModelMessage, UserContent } from 'ai'
import { parseArguments } from '../../tools/arguments.ts'
import { type Route, replayOf } from './replay.ts'

/** Messages as the SDK takes them. What they were made of must be a transcript that providers accept. */
export function modelMessages(messages: readonly Message[], route: Route): ModelMessage[] {
  const converted: ModelMessage[] = []
  const toolNames = new Map<string, string>()
  for (const message of messages) {
    if (message.role === 'assistant') {
      converted.push({ role: 'assistant', content: assistantContent(message as AssistantMessage, route) })
      for (const block of message.content) if (block.type === 'tool-call') toolNames.set(block.id, block.name)
      continue
    }
    const results = message.content.filter(isToolResultBlock).map((block): ToolModelMessage['content'][number] => ({
      type: 'tool-result',
      toolCallId: block.toolCallId,
      toolName: toolNames.get(block.toolCallId) ?? 'unknown',
      output: { type: block.isError === true ? 'error-text' : 'text', value: messageText(block) },
    }))
    const last = converted.at(-1)
    if (results.length === 0) converted.push({ role: 'user', content: userContent(message) })
    else if (last?.role === 'tool') last.content.push(...results)
    else converted.push({ role: 'tool', content: results })
  }
  return converted
}

function userContent({ content }: Message): UserContent {
  return content.flatMap((block): Exclude<UserContent, string> => {
    if (block.type === 'text') return [{ type: 'text', text: block.text }]
    if (block.type !== 'image') return []
    if ('data' in block) return [{ type: 'file', data: block.data, mediaType: block.mediaType }]
    return [{ type: 'text', text: `[image ${block.ref}]` }]
  })
}

function assistantContent(message: AssistantMessage, route: Route): AssistantContent {
  const replay = replayOf(message, route)
  return message.content.flatMap((block, at): Exclude<AssistantContent, string> => {
    const providerOptions = replay?.[at] ?? undefined
    const options = providerOptions === undefined ? {} : { providerOptions }
    switch (block.type) {
      case 'text':
        return [{ type: 'text', text: block.text, ...options }]
      case 'reasoning':
        // The reasoning of one model is nothing that another could go on with.
        return replay === undefined ? [] : [{ type: 'reasoning', text: block.text, ...options }]
      case 'tool-call': {
        const { id: toolCallId, name: toolName } = block
        return [{ type: 'tool-call', toolCallId, toolName, input: callInput(block.arguments), ...options }]
      }
      default:
        return []
    }
  })
}

/** Providers take objects only, and a model may have written anything. */
function callInput(text: string): JsonObject {
  return parseArguments(text) ?? { invalid_arguments: text }
}
