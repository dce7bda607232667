import type { SessionPersistence } from '@dsh/persistence'
import type { SessionView } from '@dsh/session'
import { isSessionError } from '@dsh/session'
import { defineCommand } from '../command.js'
import { findSession } from '../find-session.js'
import { isoTime } from '../format/time.js'
import { flag } from '../option.js'
import { type Compared, printComparison } from '../printing/comparison.js'
import { compareLogs } from '../reading/compare-logs.js'
import type { SurfaceMessage } from '../reading/surface-messages.js'
import { viewAt } from '../reading/view-at.js'

export default defineCommand({
  about:
    'Compares two sessions: how far their logs are the same, and how the messages that the model sees differ, ids of ' +
    'messages left aside. ID@SEQ stands for a session when its next event had that number; @SEQ alone for the first one ' +
    'then. The exit code is 1 where the logs differ.',
  json:
    '{ a: { id, seq }, b: { id, seq }, commonEvents, onlyInA, onlyInB, header: { field: [a, b] }, messages: { same, ' +
    'removed: [{ seq, time, message }], added: [{ seq, time, message }] } }',
  args: [
    { name: 'a', about: 'a session, or a point of one: ID or ID@SEQ', completes: 'session' },
    { name: 'b', about: 'another one: ID, ID@SEQ or @SEQ', completes: 'session' },
  ],
  options: { events: flag('also list the events that only one of them has') },
  examples: [
    { command: 'dsh-session diff demo demo-fork', about: 'Where a fork left its parent, and what each did then.' },
    { command: 'dsh-session diff demo@4 @12', about: 'What became of a session between two events.' },
  ],
  async run(context, [nameA, nameB], { events }) {
    const { persistence } = await context.store()
    const first = await findPoint(persistence, nameA!)
    const second = await findPoint(persistence, nameB!, first.whole)
    const [a, b] = [first.view, second.view]
    const compared = { a, b, comparison: compareLogs(a, b) }
    if (context.json) context.out.json(toJson(compared))
    else await printComparison(context.out, compared, events)
    const { onlyInA, onlyInB } = compared.comparison
    return onlyInA === 0 && onlyInB === 0 ? 0 : 1
  },
})

interface Point {
  readonly view: SessionView
  /** The session at its end. */
  readonly whole: SessionView
}

/** The session that a name means, or else the point of a session; `@SEQ` is a point of `other`. */
async function findPoint(persistence: SessionPersistence, name: string, other?: SessionView): Promise<Point> {
  const [, id = '', seq] = /^(.*)@(\d+)$/s.exec(name) ?? []
  if (seq === undefined || (await isSession(persistence, name))) {
    const whole = await load(persistence, name)
    return { whole, view: whole }
  }
  const whole = id === '' && other !== undefined ? other : await load(persistence, id)
  return { whole, view: viewAt(whole, Number(seq)) }
}

async function load(persistence: SessionPersistence, name: string): Promise<SessionView> {
  const { id } = await findSession(persistence, name)
  return (await persistence.load(id)).view
}

async function isSession(persistence: SessionPersistence, name: string): Promise<boolean> {
  try {
    await findSession(persistence, name)
    return true
  } catch (error) {
    if (isSessionError(error, 'SESSION_NOT_FOUND')) return false
    throw error
  }
}

function toJson({ a, b, comparison }: Compared) {
  const { messages, a: messagesOfA, b: messagesOfB, header, ...events } = comparison
  const show = ({ seq, time, message }: SurfaceMessage) => ({ seq, time: isoTime(time), message })
  const created = header.createdAt?.map(time => isoTime(time as number))
  return {
    a: { id: a.id, seq: a.seq },
    b: { id: b.id, seq: b.seq },
    ...events,
    header: { ...header, ...(created && { createdAt: created }) },
    messages: {
      same: messages.filter(({ kind }) => kind === 'same').length,
      removed: messages.flatMap(edit => (edit.kind === 'removed' ? [show(messagesOfA[edit.a]!)] : [])),
      added: messages.flatMap(edit => (edit.kind === 'added' ? [show(messagesOfB[edit.b]!)] : [])),
    },
  }
}
