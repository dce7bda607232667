import type { ContentBlock, MessageSource } from '@dsh/llm'
import type { SessionEvent, SessionView } from '@dsh/session'

/** A session's events as short lines, so that an expectation can be read. */
export function brief(view: SessionView): string[] {
  return [...view].map(briefEvent)
}

/** Like {@link brief}, without what was kept of the source. */
export function course(view: SessionView): string[] {
  return [...view].filter(({ type }) => type !== 'import/record').map(briefEvent)
}

/** What the model sees. */
export function seen(view: SessionView): string[] {
  return view.deriveMessages().map(message => `${sourceOf(message.source)}: ${content(message.content)}`)
}

function briefEvent(event: SessionEvent): string {
  switch (event.type) {
    case 'turn/start': {
      const { trigger } = event.data
      return `turn ${event.data.turn} by ${'source' in trigger ? sourceOf(trigger.source) : trigger.kind}`
    }
    case 'turn/end': {
      const { reason } = event.data
      return `turn ${event.data.turn} ends ${reason.kind}${reason.kind === 'error' ? ` ${reason.step} ${reason.message}` : ''}`
    }
    case 'step/start':
      return `step ${event.data.turn}.${event.data.step}`
    case 'step/end':
      return `step ${event.data.turn}.${event.data.step} ends`
    case 'user/message':
      return `${sourceOf(event.data.source)}: ${content(event.data.content)}${placement(event)}`
    case 'steering/message':
      return `steer ${sourceOf(event.data.message.source)}: ${content(event.data.message.content)}`
    case 'assistant/message':
      return `answer: ${content(event.data.message.content)}${placement(event)}`
    case 'tool/call':
      return `call ${event.data.callId}`
    case 'tool/result': {
      const [block] = event.data.message.content
      const code = event.data.error === undefined ? '' : ` ${event.data.error.code}`
      return `${block.isError ? 'error' : 'result'} ${block.toolCallId}${code}: ${content(block.content)}${placement(event)}`
    }
    case 'request/header': {
      const { config, system } = event.data.header
      return `header ${event.data.reason} ${config.provider} ${config.model}${system === undefined ? '' : ` "${system}"`}`
    }
    case 'import/record':
      return `${event.data.rest ? 'rest' : 'record'} ${event.data.kind} ${JSON.stringify(event.data.record)}`
    case 'import/note':
      return `note ${event.data.about}: ${event.data.text}`
    case 'import/damaged':
      return `damaged line ${event.data.origin.line}: ${event.data.reason}`
    default:
      return (event as SessionEvent).type
  }
}

function placement(event: { surfaceOp: unknown }): string {
  const op = event.surfaceOp
  if (typeof op !== 'object' || op === null) return ''
  const { start, end } = op as { start: number; end: number }
  return ` [for ${start}-${end}]`
}

function sourceOf(source: MessageSource): string {
  return source.kind === 'plugin' ? source.plugin : source.kind
}

function content(blocks: readonly ContentBlock[]): string {
  return blocks.map(block).join(' | ')
}

function block(value: ContentBlock): string {
  switch (value.type) {
    case 'text':
      return value.text
    case 'reasoning':
      return `(${value.text})`
    case 'tool-call':
      return `${value.name}#${value.id} ${value.arguments}`
    case 'tool-result':
      return `${value.isError ? 'error' : 'result'}#${value.toolCallId} ${content(value.content)}`
    case 'image':
      return `<${value.mediaType} ${'data' in value ? value.data : value.ref}>`
    default:
      return JSON.stringify(value)
  }
}
