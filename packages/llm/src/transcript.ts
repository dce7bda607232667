import type { ContentBlock, ToolResultBlock } from './content.js'
import { isToolResultBlock } from './content.js'
import type { CallId, MessageId } from './ids.js'
import type { Message } from './message.js'
import { toolResultMessage } from './message.js'

/**
 * One difference between a transcript and what {@link providerTranscript} made of it. `messageId` is the message of the
 * input that lost or held what changed; for `result-added` the one that made the call.
 */
export type TranscriptChange =
  | {
      /**
       * - `result-added`: the call had no result and got an error result
       * - `result-moved`: the result did not directly follow its call's message and the results before it
       * - `result-split`: the result was not the one block of a user-role message and got a message of its own
       * - `result-dropped`: no preceding call was waiting for the result
       * - `call-dropped`: its message had a call of the same id already, or is not an assistant message
       */
      readonly kind: 'result-added' | 'result-moved' | 'result-split' | 'result-dropped' | 'call-dropped'
      readonly messageId: MessageId
      readonly callId: CallId
    }
  | {
      /**
       * - `text-dropped`: the message lost blank text blocks
       * - `reasoning-dropped`: the message lost reasoning that nothing followed
       * - `message-dropped`: the message had nothing else, results aside
       */
      readonly kind: 'text-dropped' | 'reasoning-dropped' | 'message-dropped'
      readonly messageId: MessageId
    }

/** A transcript that providers accept, and how it differs from the one it was made of. */
export interface ProviderTranscript {
  readonly messages: readonly Message[]
  /** Empty when no message changed its content or place. In no particular order. */
  readonly changes: readonly TranscriptChange[]
}

/**
 * Makes a transcript that every provider accepts of any list of messages, changing no more than that takes:
 *
 * - Each call is answered once: the results of a message follow it directly, in block order, each as the one block of a
 *   user-role message. A result answers the nearest preceding call of its id that has none yet, so ids may come back in
 *   later turns. A call without a result gets an error result; a result without a call is left out.
 * - A call is left out when its message has one of the same id already, or is not an assistant message.
 * - Blank text blocks, reasoning at the end of an assistant message, and messages with nothing else are left out.
 *
 * Everything else stays as it is and in order, lone surrogates included. Unchanged messages are the same objects; made
 * ones are frozen, with ids derived from the input. Pure, and without effect on its own output.
 */
export function providerTranscript(messages: readonly Message[]): ProviderTranscript {
  const pairing = new Pairing()
  const entries = messages.map((message, index) => pairing.read(message, index))
  return { messages: entries.flatMap((entry, index) => pairing.write(entry, index)), changes: pairing.changes }
}

interface Entry {
  readonly message: Message
  /** What stays in the place of the message: itself, a part of it, or nothing. */
  readonly kept: Message | undefined
  /** The calls that it makes, in block order. */
  readonly calls: ReadonlyMap<CallId, Call>
}

interface Call {
  /** Position of the call in its message. */
  readonly at: number
  /** The next older call of the same id that waits for a result. */
  readonly older: Call | undefined
  /** The message of the result, and the input message that it came with. */
  result: { readonly message: Message; readonly from: Message; readonly index: number } | undefined
}

class Pairing {
  readonly changes: TranscriptChange[] = []
  /** The latest call of each id that waits for a result. */
  readonly #waiting = new Map<CallId, Call>()

  /** Matches the calls and results of the next message. */
  read(message: Message, index: number): Entry {
    const calls = new Map<CallId, Call>()
    const content = message.content.filter((block, at) => {
      if (block.type === 'text') return !isBlank(block)
      if (block.type === 'tool-call') return this.#call(block.id, at, message, calls)
      if (block.type !== 'tool-result') return true
      this.#answer(block, at, message, index)
      return false
    })
    return { message, kept: this.#keep(message, content), calls }
  }

  /** What stands for an entry once all are read. */
  write({ message, kept, calls }: Entry, index: number): Message[] {
    const messages = kept === undefined ? [] : [kept]
    let next = index + 1
    for (const [callId, { at, result }] of calls) {
      if (result === undefined) {
        messages.push(toolResultMessage(callId, NO_RESULT, { id: derivedId(message, at), isError: true }))
        this.changes.push({ kind: 'result-added', messageId: message.id, callId })
        continue
      }
      messages.push(result.message)
      // One place further is the next message, the same place another result out of one message.
      if (result.index === next) next++
      else if (result.index !== next - 1) this.changes.push({ kind: 'result-moved', messageId: result.from.id, callId })
    }
    return messages
  }

  #call(callId: CallId, at: number, message: Message, calls: Map<CallId, Call>): boolean {
    if (message.role !== 'assistant' || calls.has(callId)) {
      this.changes.push({ kind: 'call-dropped', messageId: message.id, callId })
      return false
    }
    const call: Call = { at, older: this.#waiting.get(callId), result: undefined }
    calls.set(callId, call)
    this.#waiting.set(callId, call)
    return true
  }

  #answer(block: ToolResultBlock, at: number, message: Message, index: number): void {
    const callId = block.toolCallId
    const call = this.#waiting.get(callId)
    if (call === undefined) {
      this.changes.push({ kind: 'result-dropped', messageId: message.id, callId })
      return
    }
    if (call.older === undefined) this.#waiting.delete(callId)
    else this.#waiting.set(callId, call.older)
    const alone = message.role === 'user' && message.content.length === 1
    call.result = { message: alone ? message : resultAlone(block, at, message), from: message, index }
    if (!alone) this.changes.push({ kind: 'result-split', messageId: message.id, callId })
  }

  /** The message with what is left of its content, or nothing when that says nothing. */
  #keep(message: Message, content: ContentBlock[]): Message | undefined {
    const messageId = message.id
    const trailing = message.role === 'assistant' ? trimReasoning(content) : 0
    if (content.length === 0) {
      const onlyResults = message.content.length > 0 && message.content.every(isToolResultBlock)
      if (!onlyResults) this.changes.push({ kind: 'message-dropped', messageId })
      return undefined
    }
    if (content.length === message.content.length) return message
    if (message.content.some(isBlank)) this.changes.push({ kind: 'text-dropped', messageId })
    if (trailing > 0) this.changes.push({ kind: 'reasoning-dropped', messageId })
    return Object.freeze({ ...message, content: Object.freeze(content) })
  }
}

const NO_RESULT = 'No result: the call was interrupted or never ran.'

/** Removes the reasoning at the end of `content` and returns how many blocks that were. */
function trimReasoning(content: ContentBlock[]): number {
  const end = content.findLastIndex(block => block.type !== 'reasoning') + 1
  return content.splice(end).length
}

function isBlank(block: ContentBlock): boolean {
  return block.type === 'text' && !/\S/.test(block.text)
}

/** A result that came with other content, or in another role, as a message of its own. */
function resultAlone(block: ToolResultBlock, at: number, message: Message): Message {
  return Object.freeze({
    id: derivedId(message, at),
    role: 'user',
    source: Object.freeze({ kind: 'tool', callId: block.toolCallId }),
    content: Object.freeze([block]),
  })
}

function derivedId(message: Message, at: number): MessageId {
  return `${message.id}#result-${at}` as MessageId
}
