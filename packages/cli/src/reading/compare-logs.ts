import type { SessionView } from '@dsh/session'
import { visibleJson } from '../terminal/visible.js'
import { diffLists, type Edit } from './diff-lists.js'
import { type SurfaceMessage, surfaceMessages } from './surface-messages.js'

/** How two logs differ. */
export interface Comparison {
  /** Leading events that both have. */
  readonly commonEvents: number
  readonly onlyInA: number
  readonly onlyInB: number
  /** Header fields that differ, with the values of both; ids left aside. */
  readonly header: Readonly<Record<string, readonly [unknown, unknown]>>
  readonly a: readonly SurfaceMessage[]
  readonly b: readonly SurfaceMessage[]
  /** The steps from the messages of one to those of the other. Message ids do not count. */
  readonly messages: readonly Edit[]
}

/** Compares two logs, event by event from the start, and their message histories. */
export function compareLogs(a: SessionView, b: SessionView): Comparison {
  const commonEvents = countCommon(a, b)
  const [messagesOfA, messagesOfB] = [surfaceMessages(a), surfaceMessages(b)]
  return {
    commonEvents,
    onlyInA: a.seq - commonEvents,
    onlyInB: b.seq - commonEvents,
    header: compareHeaders({ ...a.header }, { ...b.header }),
    a: messagesOfA,
    b: messagesOfB,
    messages: diffLists(messagesOfA.map(contentKey), messagesOfB.map(contentKey)),
  }
}

function countCommon(a: SessionView, b: SessionView): number {
  const length = Math.min(a.seq, b.seq)
  if (a.header === b.header) return length
  const others = b.iterate(0, length)
  for (const event of a.iterate(0, length)) {
    if (JSON.stringify(event) !== JSON.stringify(others.next().value)) return event.seq
  }
  return length
}

function compareHeaders(a: Record<string, unknown>, b: Record<string, unknown>): Comparison['header'] {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  keys.delete('id')
  const differing = [...keys].filter(key => visibleJson(a[key]) !== visibleJson(b[key]))
  return Object.fromEntries(differing.map(key => [key, [a[key], b[key]]]))
}

function contentKey({ message: { role, source, content } }: SurfaceMessage): string {
  return JSON.stringify([role, source, content])
}
