import { addUsage, isToolCallBlock, type TokenUsage } from '@dsh/llm'
import { foldSurface, type SessionEvent, type SessionView } from '@dsh/session'
import { field, textField } from '../../json-value.js'
import type { Redactor } from '../redact.js'
import type { ReadAnswer, ReadFact, ReadItem, ReadMessage, ReadResult, ReadSection } from './items.js'
import { reasonWords } from './words.js'

/** A session as sections to be read, one after the other: its turns, and what lies between them. */
export function* readSections(view: SessionView, redactor: Redactor): Generator<ReadSection> {
  const surface = new ReadSurface(view)
  let section: SectionBuilder | undefined
  for (const event of view) {
    if (event.type === 'turn/start' && section !== undefined) {
      yield section.build()
      section = undefined
    }
    section ??= new SectionBuilder(event, surface, redactor)
    section.add(event)
    if (event.type === 'turn/end') {
      yield section.build()
      section = undefined
    }
  }
  if (section !== undefined) yield section.build()
}

/** What took whose place in what the model sees. */
class ReadSurface {
  readonly #hiddenBy = new Map<number, number>()
  readonly #replaces = new Map<number, readonly number[]>()

  constructor(view: SessionView) {
    for (const { seq, shadowedSeqs } of foldSurface(view).replacements) {
      this.#replaces.set(seq, shadowedSeqs)
      for (const shadowed of shadowedSeqs) this.#hiddenBy.set(shadowed, seq)
    }
  }

  of(seq: number): { readonly hiddenBy: number | undefined; readonly replaces: readonly number[] } {
    return { hiddenBy: this.#hiddenBy.get(seq), replaces: this.#replaces.get(seq) ?? [] }
  }
}

/** Events that only structure the log. */
const structure: ReadonlySet<string> = new Set(['turn/start', 'turn/end', 'step/start', 'step/end', 'tool/call'])

class SectionBuilder {
  readonly #surface: ReadSurface
  readonly #redactor: Redactor
  readonly #items: ReadItem[] = []
  readonly #startTime: number
  #turn: number | undefined
  #trigger: ReadSection['trigger']
  #ending: string | undefined
  #endTime: number
  #usage: TokenUsage | undefined
  /** The last count of the open step, for answers that do not say theirs. */
  #streamed: TokenUsage | undefined

  constructor(first: SessionEvent, surface: ReadSurface, redactor: Redactor) {
    this.#surface = surface
    this.#redactor = redactor
    this.#startTime = first.time
    this.#endTime = first.time
  }

  add(event: SessionEvent): void {
    this.#endTime = event.time
    switch (event.type) {
      case 'turn/start':
        this.#turn = numberOf(event.data, 'turn')
        this.#trigger = field(event.data, 'trigger') as ReadSection['trigger']
        return
      case 'turn/end':
        this.#ending = this.#endingOf(event)
        return
      case 'step/start':
        this.#streamed = undefined
        return
      case 'assistant/chunk':
        if (event.data?.chunk?.type === 'usage') this.#streamed = event.data.chunk.usage
        return
      case 'user/message':
        this.#items.push(this.#message(event, event.data, false))
        return
      case 'steering/message':
        this.#items.push(this.#message(event, event.data.message, true))
        return
      case 'assistant/message':
        this.#items.push(this.#answer(event))
        return
      case 'tool/result':
        this.#result(event)
        return
      default:
        if (!structure.has(event.type)) this.#items.push(this.#fact(event))
    }
  }

  build(): ReadSection {
    return {
      turn: this.#turn,
      trigger: this.#trigger,
      startTime: this.#startTime,
      endTime: this.#endTime,
      ending: this.#ending,
      items: this.#items,
      usage: this.#usage,
    }
  }

  #endingOf({ seq, data }: SessionEvent<'turn/end'>): string | undefined {
    const kind = textField(field(data, 'reason'), 'kind')
    if (kind === undefined || kind === 'completed') return undefined
    return this.#redactor.text(reasonWords(data.reason), { kind: 'free', seq })
  }

  #message(event: SessionEvent, message: SessionEvent<'user/message'>['data'], isSteering: boolean): ReadMessage {
    const { seq, time } = event
    const { source, content, envelope } = this.#redactor.message(message, seq)
    return { type: 'message', seq, time, isSteering, source, label: envelope?.label, content, ...this.#surface.of(seq) }
  }

  #answer({ seq, time, data, surfaceOp }: SessionEvent<'assistant/message'>): ReadAnswer {
    const { source, content } = this.#redactor.message(data.message, seq)
    const usage = data.usage ?? this.#streamed
    // A rewrite stands for no request of its own.
    if (usage !== undefined && surfaceOp === 'append') {
      this.#usage = this.#usage === undefined ? usage : addUsage(this.#usage, usage)
    }
    return {
      type: 'answer',
      seq,
      time,
      provider: source.provider,
      model: source.model,
      content: content.filter(block => !isToolCallBlock(block)),
      calls: content.filter(isToolCallBlock).map(call => ({ ...call, result: undefined })),
      usage,
      ...this.#surface.of(seq),
    }
  }

  #result({ seq, time, data, surfaceOp }: SessionEvent<'tool/result'>): void {
    const [block] = data.message.content
    const result: ReadResult = {
      type: 'result',
      seq,
      time,
      callId: block.toolCallId,
      content: this.#redactor.content(block.content, 'result', seq),
      isError: block.isError === true,
      ...this.#surface.of(seq),
    }
    const answer = this.#items.findLast(item => item.type === 'answer')
    const call =
      surfaceOp === 'append'
        ? answer?.calls.find(({ id, result: known }) => id === block.toolCallId && known === undefined)
        : undefined
    if (call === undefined) this.#items.push(result)
    else call.result = result
  }

  #fact({ seq, time, type, data }: SessionEvent): ReadFact {
    const said = factText(type, data)
    const text = said === undefined ? undefined : this.#redactor.text(said, { kind: 'free', seq })
    return { type: 'fact', seq, time, eventType: type, text }
  }
}

function factText(type: string, data: unknown): string | undefined {
  switch (type) {
    case 'import/note':
      return textField(data, 'text')
    case 'import/damaged':
      return `${numberOf(data, 'bytes') ?? 0} bytes could not be read: ${textField(data, 'reason') ?? 'damaged'}`
    case 'request/header':
      return ['provider', 'model', 'reasoningEffort']
        .flatMap(key => textField(field(field(data, 'header'), 'config'), key) ?? [])
        .join(' ')
    default:
      return undefined
  }
}

function numberOf(value: unknown, key: string): number | undefined {
  const found = field(value, key)
  return typeof found === 'number' ? found : undefined
}
