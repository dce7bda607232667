import type { SessionEvent } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { eventLine, eventToJson, printEvents } from '../../src/printing/events.js'
import { paint } from '../../src/terminal/text.js'
import { START } from '../support/log-builder.js'
import { printed } from '../support/printed.js'
import { useZone } from '../support/zone.js'

useZone()

const event = (seq: number, type = 'plugin/fact') =>
  ({ type, seq, time: START + seq, data: { seq } }) as unknown as SessionEvent

async function* stream(count: number) {
  for (let seq = 0; seq < count; seq++) yield event(seq)
}

describe('eventLine', () => {
  it('has the day where there is room for it', () => {
    expect(paint(eventLine(event(7), { columns: undefined }), false)).toBe(
      '     7  2026-01-15 17:30:00.007  plugin/fact        {"seq":7}',
    )
    expect(paint(eventLine(event(7), { columns: 80 }), false)).toBe(
      '     7  17:30:00.007  plugin/fact        {"seq":7}',
    )
  })

  it('shows a type that would drive a terminal', () => {
    expect(paint(eventLine(event(7, 'x/\u001b[2J'), { columns: 80 }), false)).toContain('x/\\x1b[2J')
  })
})

describe('eventToJson', () => {
  it('keeps all but the form of the time', () => {
    expect(eventToJson(event(7))).toEqual({
      type: 'plugin/fact',
      seq: 7,
      time: '2026-01-15T09:30:00.007Z',
      data: { seq: 7 },
    })
  })
})

describe('printEvents', () => {
  const options = { matches: () => true, limit: Number.POSITIVE_INFINITY, isLive: false }

  it('prints those that match, up to the limit', async () => {
    const matches = ({ seq }: SessionEvent) => seq % 2 === 1
    const text = await printed(out => printEvents({ out, json: true }, stream(99), { ...options, matches, limit: 3 }))
    expect(
      text
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).seq),
    ).toEqual([1, 3, 5])
  })

  it('ends a stream that it needs no more of', async () => {
    let isEnded = false
    const endless = async function* () {
      try {
        for (let seq = 0; ; seq++) yield event(seq)
      } finally {
        isEnded = true
      }
    }
    await printed(out => printEvents({ out, json: false }, endless(), { ...options, limit: 2 }))
    expect(isEnded).toBe(true)
  })

  it('prints each event at once where somebody waits for it', async () => {
    const seen: string[] = []
    await printed(async out => {
      const drain = out.drain.bind(out)
      out.drain = async () => {
        seen.push('drained')
        return drain()
      }
      await printEvents({ out, json: false }, stream(3), { ...options, isLive: true })
    })
    expect(seen).toHaveLength(4)
  })
})
