import { appendFileSync } from 'node:fs'
import { SessionError, type SessionHeader } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { findSession, findSessions } from '../../src/find-session.js'
import { diagnose, explainDamage } from '../../src/reading/diagnosis.js'
import { openStore } from '../../src/store.js'
import { LogBuilder } from '../support/log-builder.js'
import { TestRoot } from '../support/root.js'

const { signal } = new AbortController()

async function wordsAbout(
  log: LogBuilder,
  meta: Partial<SessionHeader> = {},
  change: (root: TestRoot) => void = () => {},
) {
  const root = new TestRoot()
  await root.store('s', log.events, meta, 4)
  change(root)
  const { persistence, close } = await openStore({ root: root.path, backend: 'jsonl' })
  const lineage = new Map((await findSessions(persistence, [])).map(({ id, header }) => [id, header?.parentSession]))
  const diagnosis = await diagnose(persistence, await findSession(persistence, 's'), {
    lineage,
    root: root.path,
    signal,
  })
  await close()
  return diagnosis!.findings.map(({ kind, words }) => `${kind}: ${words}`)
}

const turn = () => new LogBuilder().prompt('Hello').answer('Hello.')

describe('diagnose', () => {
  it('has nothing to say of a session that is well', async () => {
    expect(await wordsAbout(turn().end())).toEqual([])
  })

  it('tells an open turn, and does not call its messages wrong', async () => {
    const log = turn()
      .end()
      .prompt('Read')
      .answer('', { calls: [{ name: 'read' }] })
    expect(await wordsAbout(log)).toEqual([
      expect.stringMatching(/^note: Turn 2 has no end: .* Resuming the session closes it\.$/),
      expect.stringMatching(/^note: Event \d+ breaks the rule /),
    ])
  })

  it('tells a tail that was cut off', async () => {
    const words = await wordsAbout(turn().end(), {}, root => appendFileSync(root.log('s'), '{"type":"turn/start","se'))
    expect(words).toEqual([
      expect.stringMatching(/^note: The last 24 B of the log are no whole record: .* cuts them off\.$/),
    ])
  })

  it('tells damage with its place and what it costs', async () => {
    const log = turn().end().prompt('Again').answer('Again.').end()
    const [damage, ...more] = await wordsAbout(log, {}, root =>
      root.damage('s', bytes => {
        bytes[bytes.indexOf('Hello.')] = 0x4a
        return bytes
      }),
    )
    expect(more).toEqual([])
    expect(damage).toMatch(
      /^damage: The log is damaged at line 7, byte [\d,]+, event 4 of s-[0-9a-f]+\/log-0\.jsonl: there should be /,
    )
    expect(damage).toMatch(/ Events 4 to 7 are in doubt \([\d.]+ k?B\); from event 8 on the log can be read again\. /)
    expect(damage).toMatch(/ The 4 events before it can be read\.$/)
  })

  it('tells where a log is not well formed, and what no provider would take', async () => {
    const log = turn().end()
    log.message('tool/result', {
      turn: 1,
      step: 1,
      message: {
        id: 'r',
        role: 'user',
        source: { kind: 'tool', callId: 'lost' },
        content: [{ type: 'tool-result', toolCallId: 'lost', content: [] }],
      },
    })
    expect(await wordsAbout(log)).toEqual([
      expect.stringMatching(
        /^note: Event 7 breaks the rule [\w-]+ of well-formed logs( at \S+)?: .*, and rules are broken in 1 more place\.$/,
      ),
      expect.stringMatching(
        /^note: This is no damage: .* a result that no call waits for is left out \(result-dropped, 1 time\)\.$/,
      ),
    ])
  })

  it('tells a parent that is not here, and parents that run in a circle', async () => {
    expect(await wordsAbout(turn().end(), { parentSession: 'gone' as never })).toEqual([
      'note: Its parent gone is not stored here. What was inherited is in its own log.',
    ])
    expect(await wordsAbout(turn().end(), { parentSession: 's' as never })).toEqual([
      'note: Its line of parents runs in a circle: s → s.',
    ])
  })

  it('tells a format that is newer', async () => {
    const [words] = await wordsAbout(turn().end(), {}, root =>
      root.damage('s', bytes => Buffer.from(bytes.toString().replace('"version":1', '"version":9'))),
    )
    expect(words).toMatch(
      /^damage: It is stored as the newer version 9, and this release reads version 1\. It is untouched/,
    )
  })
})

describe('explainDamage', () => {
  const place = { expected: 'x', found: 'y' }

  it('says what can be said of any error', () => {
    expect(explainDamage(new Error('strange'), '/')).toBe('It cannot be read: strange.')
    expect(explainDamage(new SessionError('SESSION_CORRUPT', place), '/')).toBe(
      'The log is damaged: there should be x, and there is y.',
    )
  })

  it('says that nothing behind a damage is certain when nothing is', () => {
    const lost = { fromSeq: 0, fromByte: 0, toByte: 40 }
    const error = new SessionError('SESSION_CORRUPT', { ...place, seq: 0, details: { lost } })
    expect(explainDamage(error, '/')).toBe(
      'The log is damaged at event 0: there should be x, and there is y. From event 0 on (40 B), nothing is certain.',
    )
  })

  it('names a single event', () => {
    const lost = { fromSeq: 1, toSeq: 2 }
    expect(explainDamage(new SessionError('SESSION_CORRUPT', { ...place, details: { lost } }), '/')).toContain(
      'Event 1 is in doubt; from event 2 on the log can be read again. The 1 event before it can be read.',
    )
  })
})
