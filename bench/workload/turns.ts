import { seeded } from './random.ts'

/** One append: what both projects' sessions take. */
export interface Append {
  readonly type: string
  readonly data: unknown
  readonly intent?: { readonly surfaceOp: unknown; readonly sourceEventSeqs?: number[] }
}

const words = 'the a of session log event stream token model answer file line code test value error result call'.split(
  ' ',
)

/**
 * An endless conversation: turns of about 400 events, 96 % of them stream deltas of 4 to 20 characters; answers of 1 to
 * 2 KB that cite their chunks; tool results of 2 to 8 KB and now and then 50 KB.
 * @param startSeq the seq of the first append
 */
export function* conversation(startSeq = 0, seed = 1): Generator<Append> {
  const random = seeded(seed)
  const text = (length: number) => {
    let out = ''
    while (out.length < length) out += `${words[Math.floor(random() * words.length)]} `
    return out.slice(0, length)
  }
  let seq = startSeq
  let ids = 0
  const id = () => `m${seed}-${++ids}`
  for (let turn = 1; ; turn++) {
    const out: Append[] = []
    const add = (type: string, data: unknown, intent?: Append['intent']) =>
      out.push({ type, data, ...(intent && { intent }) })
    const append = (sourceEventSeqs?: number[]) => ({
      surfaceOp: 'append',
      ...(sourceEventSeqs && { sourceEventSeqs }),
    })
    add('turn/start', { turn, trigger: { kind: 'message', source: { kind: 'user' } } })
    add(
      'user/message',
      { id: id(), role: 'user', source: { kind: 'user' }, content: [{ type: 'text', text: text(200) }] },
      append(),
    )
    for (let step = 1; step <= 3; step++) {
      add('step/start', { turn, step })
      const last = step === 3
      const sources: number[] = []
      const chunk = (value: unknown) => {
        sources.push(seq + out.length)
        add('assistant/chunk', { turn, step, chunk: value })
      }
      let answer = ''
      chunk({ type: 'block-start', index: 0, blockType: 'text' })
      const deltas = 118 + Math.floor(random() * 24)
      for (let n = 0; n < deltas; n++) {
        const piece = text(4 + Math.floor(random() * 17))
        answer += piece
        chunk({ type: 'text-delta', index: 0, text: piece })
      }
      const callId = `c${turn}-${step}`
      const call = { type: 'tool-call', id: callId, name: 'read', arguments: `{"path":"${text(20)}"}` }
      const content = [{ type: 'text', text: answer }, ...(last ? [] : [call])]
      if (!last)
        chunk({ type: 'tool-call-delta', index: 1, id: callId, name: call.name, argumentsDelta: call.arguments })
      chunk({ type: 'usage', usage: { inputTokens: 1000 + turn, outputTokens: 300 } })
      add(
        'assistant/message',
        {
          turn,
          step,
          message: { id: id(), role: 'assistant', source: { kind: 'model', provider: 'p', model: 'm' }, content },
        },
        append(sources),
      )
      if (!last) {
        const { type: _, id: __, ...called } = call
        const callSeq = seq + out.length
        add('tool/call', { turn, step, callId, ...called })
        const size = random() < 0.02 ? 50_000 : 2000 + Math.floor(random() * 6000)
        const block = { type: 'tool-result', toolCallId: callId, content: [{ type: 'text', text: text(size) }] }
        add(
          'tool/result',
          { turn, step, message: { id: id(), role: 'user', source: { kind: 'tool', callId }, content: [block] } },
          append([callSeq]),
        )
      }
      add('step/end', { turn, step })
    }
    add('turn/end', { turn, reason: { kind: 'completed' } })
    seq += out.length
    yield* out
  }
}

/** The first whole turns of a conversation that hold at least `count` events. */
export function turnsOf(count: number, seed?: number): Append[] {
  const out: Append[] = []
  for (const append of conversation(0, seed)) {
    out.push(append)
    if (out.length >= count && append.type === 'turn/end') return out
  }
  return out
}

/** Plain event objects, as a seed holds them. */
export function eventsOf(appends: readonly Append[]): unknown[] {
  return appends.map(({ type, data, intent }, seq) => ({
    type,
    seq,
    time: 1_700_000_000_000 + seq * 13,
    ...intent,
    data,
  }))
}
