import { type Message, messageText, toolCalls } from '@dsh/llm'
import type { SessionEvent, TurnEndReason } from '@dsh/session'

/** A text as one line of at most `width` characters. */
export function clip(text: string, width: number): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  const characters = [...line]
  return characters.length > width ? `${characters.slice(0, Math.max(width - 1, 0)).join('')}…` : line
}

/** A number with separators. */
export function count(value: number): string {
  return value.toLocaleString('en-US')
}

/** So many of something: `1 message`, `2 messages`. */
export function amount(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`
}

/** A failure of any kind in a line: an error, or the facts of a model request that failed. */
export function describeError(error: unknown): string {
  const { message, code } = (error ?? {}) as { readonly message?: unknown; readonly code?: unknown }
  if (typeof message !== 'string') return String(error)
  return typeof code === 'string' && !message.includes(code) ? `${code}: ${message}` : message
}

/** How a turn ended. */
export function describeReason(reason: TurnEndReason): string {
  if (reason.kind !== 'error') return reason.kind === 'max-tokens' ? 'cut at the output limit' : reason.kind
  return `failed: ${describeError(reason.failure ?? reason)}`
}

/** Who speaks in a message. */
function speaker({ role, source }: Message): string {
  if (source.kind === 'tool') return 'tool'
  if (source.kind === 'plugin') return source.plugin
  return role === 'assistant' ? 'model' : role
}

/** The messages that a model sees, one a line. */
export function describeHistory(messages: readonly Message[], width: number): string[] {
  return messages.map((message, at) => {
    const calls = toolCalls(message).map(({ name, arguments: text }) => `${name}${text}`)
    const start = `${String(at + 1).padStart(4)}  ${speaker(message).padEnd(10)}  `
    const text = [messageText(message), ...calls.map(call => `→ ${clip(call, 60)}`)].join(' ')
    return start + clip(text, width - start.length)
  })
}

/** An event that closed an interrupted turn. */
export function describeCloser(event: SessionEvent): string {
  if (event.type === 'tool/result') {
    const { message, error } = event.data
    return `${event.type}  ${error?.code ?? ''}  ${messageText(message)}`
  }
  return event.type === 'turn/end' ? `${event.type}  ${describeReason(event.data.reason)}` : event.type
}
