import type { SessionEvent } from '@dsh/session'
import type { CommandContext } from '../command.js'
import { isoTime, localClock, localTime } from '../format/time.js'
import type { Output } from '../terminal/output.js'
import { dim, pad, type Style, styled, type Text } from '../terminal/text.js'
import { summarise } from './summary.js'

/** How events are printed. */
export interface EventPrinting {
  readonly matches: (event: SessionEvent) => boolean
  /** Most events to print. */
  readonly limit: number
  /** Whether a person waits for each. */
  readonly isLive: boolean
}

/** Prints events as they come, as lines or as JSON. */
export async function printEvents(
  { out, json }: Pick<CommandContext, 'out' | 'json'>,
  events: AsyncIterable<SessionEvent>,
  { matches, limit, isLive }: EventPrinting,
): Promise<void> {
  let printed = 0
  for await (const event of events) {
    if (matches(event)) {
      if (json) out.json(eventToJson(event))
      else out.clipped(eventLine(event, out))
      if (isLive) await out.drain()
      if (++printed >= limit) return
    }
    await out.relieve()
  }
}

/** An event as JSON shows it: as it is, but for its time. */
export function eventToJson(event: SessionEvent): Record<string, unknown> {
  return { ...event, time: isoTime(event.time) }
}

/** Columns from which on there is room for the day of each event. */
const WIDE = 100

const styles: Readonly<Record<string, Style>> = {
  turn: 'bold',
  user: 'green',
  steering: 'green',
  assistant: 'cyan',
  tool: 'yellow',
  salvage: 'red',
}

/** An event on one line: number, time, type, what it says. */
export function eventLine(event: SessionEvent, { columns }: Pick<Output, 'columns'>): Text {
  const { type, seq, time } = event
  const isWide = columns === undefined || columns >= WIDE
  const clock = isWide ? `${localTime(time).slice(0, -8)}${localClock(time)}` : localClock(time)
  const family = type.slice(0, type.indexOf('/'))
  const style = type === 'assistant/chunk' ? 'dim' : (styles[family] ?? 'dim')
  return [pad(String(seq), 6, 'right'), '  ', dim(clock), '  ', pad(styled(style, type), 17), '  ', summarise(event)]
}
