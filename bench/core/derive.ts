import { best, type Row } from '../measure.ts'
import { type AnySession, appendAll, type Contestant } from './contestants.ts'

const MESSAGES = 2000

/** The message history after growth and after replacements. The floor copies the same number of pointers. */
export function benchDerive(ours: Contestant, peer: Contestant | undefined): Row[] {
  const floor = (times: number) =>
    best(
      () => Array.from({ length: MESSAGES }, () => ({})),
      list => {
        let length = 0
        for (let time = 0; time < times; time++) length += list.slice().length
        return length
      },
    )
  const row = (name: string, count: number, run: (session: AnySession) => void, prepare = filled): Row => {
    const time = (contestant: Contestant) =>
      best(
        () => {
          const session = prepare(contestant)
          session.deriveMessages()
          return session
        },
        session => run(session),
        5,
      )
    return { name, count, floor: floor(count), ours: time(ours), peer: peer && time(peer) }
  }
  return [
    row(
      `derive after each of ${MESSAGES} messages`,
      MESSAGES,
      session => {
        for (let index = 0; index < MESSAGES; index++) {
          addResult(session, index)
          session.deriveMessages()
        }
      },
      contestant => contestant.create(),
    ),
    row('replace the first half, derive', 1, session => {
      replace(session, 0, MESSAGES / 2 - 1)
      session.deriveMessages()
    }),
    row('replace one node at the tail, derive', 1, session => {
      replace(session, MESSAGES - 1, MESSAGES - 1)
      session.deriveMessages()
    }),
    row('1,000 results pruned one by one, derive after each', 1000, session => {
      for (let seq = 0; seq < 1000; seq++) {
        session.append('tool/result', result(seq, 'pruned'), {
          surfaceOp: { op: 'replace', start: seq, end: seq },
          sourceEventSeqs: [seq],
        })
        session.deriveMessages()
      }
    }),
  ]
}

function filled(contestant: Contestant): AnySession {
  const session = contestant.create()
  appendAll(
    session,
    Array.from({ length: MESSAGES }, (_, index) => ({
      type: 'tool/result',
      data: result(index, 'x'.repeat(500)),
      intent: { surfaceOp: 'append' },
    })),
  )
  return session
}

function addResult(session: AnySession, index: number): void {
  session.append('tool/result', result(index, 'text'), { surfaceOp: 'append' })
}

function replace(session: AnySession, start: number, end: number): void {
  const content = [{ type: 'text', text: 'summary' }]
  session.append(
    'user/message',
    { id: `s${start}`, role: 'user', source: { kind: 'plugin', plugin: 'bench' }, content },
    {
      surfaceOp: { op: 'replace', start, end },
      sourceEventSeqs: Array.from({ length: end - start + 1 }, (_, index) => start + index),
    },
  )
}

function result(index: number, text: string) {
  const callId = `c${index}`
  const content = [{ type: 'tool-result', toolCallId: callId, content: [{ type: 'text', text }] }]
  return { turn: 1, step: 1, message: { id: `r${index}`, role: 'user', source: { kind: 'tool', callId }, content } }
}
