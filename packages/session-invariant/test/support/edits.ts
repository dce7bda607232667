import type { SessionEvent } from '@dsh/session'

/** A log as an array. */
export type Log = readonly SessionEvent[]
type Data = Record<string, never>

/** One way to spoil a valid log: the rule it must break, the events it applies to, and the log after it. */
export interface Edit {
  readonly rule: string
  readonly target: (event: SessionEvent, log: Log) => boolean
  readonly apply: (log: Log, index: number) => SessionEvent[]
}

const ofType =
  (...types: string[]) =>
  (event: SessionEvent) =>
    types.includes(event.type)
const appended = (type: string) => (event: SessionEvent) => event.type === type
const remove = (log: Log, index: number) => log.filter((_, at) => at !== index)
/** The copy stands between two numbers, so that nothing else has to move. */
const repeat = (log: Log, index: number) => [
  ...log.slice(0, index + 1),
  { ...log[index]!, seq: log[index]!.seq + 0.5 },
  ...log.slice(index + 1),
]
const change = (edit: (data: never, event: SessionEvent) => object) => (log: Log, index: number) =>
  log.map((event, at) =>
    at === index ? { ...event, data: edit(structuredClone(event.data) as never, event) } : event,
  ) as SessionEvent[]
const set = (path: string, value: (old: never) => unknown) =>
  change((data: Data) => {
    const keys = path.split('.')
    const last = keys.pop()!
    const holder = keys.reduce((object: Data, key) => object[key] as unknown as Data, data) as Record<string, unknown>
    const next = value(holder[last] as never)
    if (next === undefined) delete holder[last]
    else holder[last] = next
    return data
  })

const hasReason = (kind: string) => (event: SessionEvent) =>
  event.type === 'turn/end' && event.data.reason.kind === kind
const hasCalls = (event: SessionEvent) =>
  event.type === 'assistant/message' && event.data.message.content.some(block => block.type === 'tool-call')
const citesText = (event: SessionEvent) =>
  event.type === 'assistant/message' &&
  (event.sourceEventSeqs?.length ?? 0) > 0 &&
  event.data.message.content.some(block => block.type === 'text')

/** Spoils for every rule that a recorded turn can break. */
export const edits: Readonly<Record<string, Edit>> = {
  'a number is used again': {
    rule: 'seq',
    target: event => event.seq > 0,
    apply: (log, index) => log.map((event, at) => (at === index ? { ...event, seq: event.seq - 1 } : event)),
  },
  'a turn is numbered higher': {
    rule: 'turn-number',
    target: ofType('turn/start'),
    apply: set('turn', (old: number) => old + 1),
  },
  'a step is numbered higher': {
    rule: 'step-number',
    target: ofType('step/start'),
    apply: set('step', (old: number) => old + 1),
  },
  'a boundary is lost': {
    rule: 'nesting',
    // The end of the last turn leaves it open, which a log may be.
    target: (event, log) => event.type.startsWith('step/') || (event.type.startsWith('turn/') && event !== log.at(-1)),
    apply: (log, index) => [
      ...remove(log, index),
      ...log.slice(-1).map(
        last =>
          ({
            type: 'turn/end',
            seq: last.seq + 1,
            time: 0,
            data: { turn: -1, reason: { kind: 'completed' } },
          }) as SessionEvent,
      ),
    ],
  },
  'a boundary is repeated': {
    rule: 'nesting',
    target: ofType('turn/start', 'turn/end', 'step/start', 'step/end'),
    apply: repeat,
  },
  'an event names another turn': {
    rule: 'enclosure',
    target: ofType('assistant/chunk', 'assistant/message', 'tool/call', 'tool/result', 'steering/message'),
    apply: set('turn', (old: number) => old + 1),
  },
  'an event names another step': {
    rule: 'enclosure',
    target: ofType('assistant/chunk', 'assistant/message', 'tool/call', 'tool/result'),
    apply: set('step', (old: number) => old + 1),
  },
  'a step opens too late': {
    rule: 'enclosure',
    target: (event, log) => event.type === 'step/start' && /^(assistant|tool)\//.test(log[event.seq + 1]?.type ?? ''),
    apply: (log, index) => [...log.slice(0, index), log[index + 1]!, log[index]!, ...log.slice(index + 2)],
  },
  'a call is made twice in one message': {
    rule: 'call-id',
    target: hasCalls,
    apply: set('message.content', (old: { type: string }[]) => [...old, old.find(block => block.type === 'tool-call')]),
  },
  'a tool gets other arguments': {
    rule: 'tool-call',
    target: ofType('tool/call'),
    apply: set('arguments', (old: string) => `${old} `),
  },
  'another tool is called': { rule: 'tool-call', target: ofType('tool/call'), apply: set('name', () => 'other') },
  'a call nobody asked for': { rule: 'tool-call', target: ofType('tool/call'), apply: set('callId', () => 'unasked') },
  'a call is started twice': { rule: 'tool-call', target: ofType('tool/call'), apply: repeat },
  'a call is answered twice': { rule: 'tool-result', target: appended('tool/result'), apply: repeat },
  'a result answers nobody': {
    rule: 'tool-result',
    target: appended('tool/result'),
    apply: set('message.source.callId', () => 'unasked'),
  },
  'the start of an answered call is lost': {
    rule: 'tool-result',
    target: (event, log) =>
      event.type === 'tool/call' &&
      log.some(
        other =>
          other.type === 'tool/result' &&
          other.sourceEventSeqs?.includes(event.seq) === true &&
          other.data.message.content[0].isError !== true,
      ),
    apply: remove,
  },
  'a result is lost': { rule: 'calls-answered', target: appended('tool/result'), apply: remove },
  'an answer is reworded': {
    rule: 'assembly',
    target: citesText,
    apply: set('message.content', (old: object[]) =>
      old.map(block => ('text' in block ? { ...block, text: 'other words' } : block)),
    ),
  },
  'an answer loses a block': {
    rule: 'assembly',
    target: citesText,
    apply: set('message.content', (old: object[]) => old.slice(1)),
  },
  'a cut turn counts as completed': {
    rule: 'token-limit',
    target: hasStreamedCut,
    apply: set('reason', () => ({ kind: 'completed' })),
  },
  'an aborted turn gets a reason': {
    rule: 'turn-end',
    target: hasReason('aborted'),
    apply: set('reason.reason', () => 'user'),
  },
  'a failed turn loses its failure': {
    rule: 'turn-end',
    target: hasReason('error'),
    apply: set('reason', ({ kind, step }: { kind: string; step: number }) => ({ kind, step })),
  },
  'a turn end loses its reason': {
    rule: 'turn-end',
    target: ofType('turn/end'),
    apply: set('reason', () => undefined),
  },
  'a trigger is lost': { rule: 'turn-trigger', target: ofType('turn/start'), apply: set('trigger', () => undefined) },
  'a header claims to be the first, or not to be': {
    rule: 'request-header',
    target: ofType('request/header'),
    apply: set('reason', (old: string) => (old === 'initial' ? 'resume' : 'initial')),
  },
  'a change is recorded twice': {
    rule: 'request-header',
    target: event => event.type === 'request/header' && event.data.reason === 'change',
    apply: repeat,
  },
  'a context is recorded twice': { rule: 'request-context', target: ofType('request/context'), apply: repeat },
  'a context loses its header': {
    rule: 'request-context',
    target: (event, log) =>
      event.type === 'request/header' &&
      log[event.seq + 1]?.type === 'request/context' &&
      log[event.seq - 1]?.type === 'step/start',
    apply: remove,
  },
  'a todo list has an entry of an unknown status': {
    rule: 'todo',
    target: ofType('todo/write'),
    apply: set('todos', () => [{ content: 'a', status: 'done' }]),
  },
  'a payload has one field more': {
    rule: 'payload',
    target: event => event.type !== 'todo/write',
    apply: set('surplus', () => 1),
  },
  'a payload has one field less': {
    rule: 'payload',
    target: ofType('step/start', 'step/end', 'tool/call', 'assistant/chunk', 'request/context'),
    apply: change((data: object) => Object.fromEntries(Object.entries(data).slice(1))),
  },
}

function hasStreamedCut(event: SessionEvent, log: Log): boolean {
  if (event.type !== 'turn/end' || event.data.reason.kind !== 'max-tokens') return false
  // An answer that did not stream leaves no trace of having been cut.
  const finishes = new Map<number, string>()
  for (const { type, data } of log) {
    if (type !== 'assistant/chunk' || data.turn !== event.data.turn || data.chunk.type !== 'finish') continue
    finishes.set(data.step, data.chunk.reason.kind)
  }
  return [...finishes.values()].includes('max-tokens')
}
