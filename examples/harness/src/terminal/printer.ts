import { type CallId, messageText, type StreamChunk, totalTokens } from '@dsh/llm'
import { outline, type Session, type SessionEvent, sessionTokenTotals } from '@dsh/session'
import { amount, clip, count, describeError, describeReason } from './describe.ts'
import type { Screen } from './screen.ts'

const marks = { pending: '☐', in_progress: '◐', completed: '☑' } as const

/** Shows what happens in sessions, event by event. */
export class Printer {
  readonly #screen: Screen
  readonly #showsPrompts: boolean
  readonly #names = new Map<CallId, string>()

  /** @param showsPrompts whether prompts are shown; on a terminal the person sees what they type */
  constructor(screen: Screen, showsPrompts: boolean) {
    this.#screen = screen
    this.#showsPrompts = showsPrompts
  }

  print(session: Session, event: SessionEvent): void {
    const screen = this.#screen
    switch (event.type) {
      case 'turn/start':
        if (event.data.trigger.kind === 'retry') screen.line(screen.style('cyan', '↻ going on'))
        break
      case 'step/start':
        screen.status('waiting for the model')
        break
      case 'user/message':
        this.#userMessage(session, event)
        break
      case 'steering/message':
        screen.line(screen.style('cyan', `» ${messageText(event.data.message)}`))
        break
      case 'assistant/chunk':
        this.#chunk(event.data.chunk)
        break
      case 'tool/call':
        this.#toolCall(event)
        break
      case 'tool/result':
        this.#toolResult(event)
        break
      case 'todo/write':
        for (const { content, status } of event.data.todos) screen.line(`  ${marks[status]} ${content}`)
        break
      case 'turn/end':
        this.#turnEnd(session, event)
    }
  }

  #userMessage(session: Session, { data, surfaceOp }: SessionEvent<'user/message'>): void {
    const screen = this.#screen
    const text = messageText(data)
    if (surfaceOp !== 'append') {
      const left = amount(session.surface.nodes.length, 'message')
      screen.line(screen.style('magenta', `⇣ older history was summarised; the model sees ${left}`))
    } else if (data.source.kind === 'plugin') {
      screen.line(screen.style('dim', `ℹ ${data.source.plugin}: ${text}`))
    } else if (this.#showsPrompts) {
      screen.line(screen.style('bold', `› ${text}`))
    }
  }

  #chunk(chunk: StreamChunk): void {
    const screen = this.#screen
    if (chunk.type === 'text-delta') screen.write(chunk.text)
    else if (chunk.type === 'reasoning-delta') screen.write(screen.style('dim', chunk.text))
    else if (chunk.type === 'block-start' || chunk.type === 'block-end') screen.endLine()
    else if (chunk.type === 'finish' && chunk.reason.kind === 'error') {
      screen.line(screen.style('red', `✗ ${describeError(chunk.reason.failure)}`))
    }
  }

  #toolCall({ data: { callId, name, arguments: text } }: SessionEvent<'tool/call'>): void {
    const screen = this.#screen
    this.#names.set(callId, name)
    screen.line(`${screen.style('yellow', `⚙ ${name}`)} ${clip(text, screen.width - name.length - 4)}`)
    screen.status(name)
  }

  #toolResult({ data: { message } }: SessionEvent<'tool/result'>): void {
    const screen = this.#screen
    const [{ toolCallId, isError }] = message.content
    const text = `${this.#names.get(toolCallId) ?? 'not run'}: ${messageText(message)}`
    screen.line(`  ${isError ? screen.style('red', '✗') : '✓'} ${clip(text, screen.width - 5)}`)
  }

  #turnEnd(session: Session, { data: { turn, reason } }: SessionEvent<'turn/end'>): void {
    const screen = this.#screen
    const steps = session.fold(outline).turns.at(-1)?.steps.length ?? 0
    const tokens = count(totalTokens(sessionTokenTotals(session).total))
    const facts = [describeReason(reason), amount(steps, 'step'), `${tokens} tokens so far`]
    screen.line(screen.style('dim', `— turn ${turn}: ${facts.join(', ')}`))
  }
}
