import type { CallId } from '@dsh/llm'
import type { SessionEvent } from '../event.js'
import type { Delta } from './delta.js'
import type { PackedRow } from './packed-row.js'

/** The events that `row` was packed from, frozen. */
export function unpack(row: PackedRow): SessionEvent[] {
  const { turn, step, dt, len, text } = row
  const events: SessionEvent[] = []
  let { seq, time } = row
  let at = 0
  for (let member = 0; member < len.length; member++) {
    if (member > 0) time += dt[member - 1]!
    const end = at + len[member]!
    const chunk = Object.freeze(toDelta(row, text.slice(at, end)))
    events.push(Object.freeze({ type: 'assistant/chunk', seq, time, data: Object.freeze({ turn, step, chunk }) }))
    at = end
    seq++
  }
  return events
}

function toDelta(row: PackedRow, text: string): Delta {
  const { index } = row
  if (row.type === 'text-chunks') return { type: 'text-delta', index, text }
  if (row.type === 'reasoning-chunks') return { type: 'reasoning-delta', index, text }
  const id = row.id as CallId
  if (row.name === undefined) return { type: 'tool-call-delta', index, id, argumentsDelta: text }
  return { type: 'tool-call-delta', index, id, name: row.name, argumentsDelta: text }
}
