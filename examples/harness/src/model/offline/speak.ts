import { type CallId, type ContentBlock, callId, type StreamChunk } from '@dsh/llm'
import type { Action } from './action.ts'

/** The chunks of an answer that says and calls what `action` asks for, each delta about a token. */
export function* speak({ think, say, calls }: Action, idOf: (at: number) => CallId): Generator<StreamChunk> {
  let index = 0
  if (think !== undefined) yield* block(index++, { type: 'reasoning', text: think })
  if (say !== '') yield* block(index++, { type: 'text', text: say })
  for (const [at, { tool, args }] of calls.entries()) {
    yield* block(index++, { type: 'tool-call', id: idOf(at), name: tool, arguments: JSON.stringify(args) })
  }
  yield { type: 'finish', reason: { kind: calls.length > 0 ? 'tool-calls' : 'stop' } }
}

/** The id of a call: unique in its answer, and the same whenever the same request is sent. */
export function plannedCallId(messages: number, at: number): CallId {
  return callId(`call-${messages}-${at}`)
}

type SpokenBlock = Extract<ContentBlock, { type: 'reasoning' | 'text' | 'tool-call' }>

function* block(index: number, block: SpokenBlock): Generator<StreamChunk> {
  yield { type: 'block-start', index, blockType: block.type }
  const text = block.type === 'tool-call' ? block.arguments : block.text
  for (const [at, token] of tokens(text).entries()) {
    if (block.type !== 'tool-call') yield { type: `${block.type}-delta`, index, text: token }
    else
      yield {
        type: 'tool-call-delta',
        index,
        id: block.id,
        ...(at === 0 && { name: block.name }),
        argumentsDelta: token,
      }
  }
  yield { type: 'block-end', index, block }
}

/** A text in pieces of about a token. */
function tokens(text: string): readonly string[] {
  return text.match(/\s*[^\s]{1,6}|\s+/gu) ?? []
}
