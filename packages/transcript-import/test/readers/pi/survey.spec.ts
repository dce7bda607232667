import { describe, expect, it } from 'vitest'
import { seen } from '../../support/brief.js'
import { lines, read } from '../../support/read.js'
import { pi } from '../../support/samples.js'

const header = { type: 'session', version: 3, id: 's', timestamp: '2026-01-01T00:00:00Z', cwd: '/w' }
const user = (id: string, parent: string | null, content: string) => pi(id, parent, { role: 'user', content })
const says = (id: string, parent: string, text: string) =>
  pi(id, parent, { role: 'assistant', provider: 'p', model: 'm', content: [{ type: 'text', text }] })

describe('the branches of a pi session', () => {
  const trunk = [header, user('u1', null, 'one'), says('a1', 'u1', 'first')]

  it('become sessions, the active one first', async () => {
    const { sessions } = await read(
      lines(...trunk, user('u2', 'a1', 'left'), user('u3', 'a1', 'right'), says('a3', 'u3', 'r')),
    )
    expect(sessions.map(seen)).toEqual([
      ['user: one', 'model: first', 'user: right', 'model: r'],
      ['user: one', 'model: first', 'user: left'],
    ])
    expect(sessions[1]!.header).toMatchObject({ id: 's/branch-1', parentSession: 's', cwd: '/w' })
    expect(sessions[1]!.header.seedLength).toBeGreaterThan(0)
  })

  it('end where the last entry is, though it may be no message', async () => {
    const label = {
      type: 'label',
      id: 'l',
      parentId: 'a1',
      timestamp: '2026-01-01T00:00:09Z',
      targetId: 'u1',
      label: 'x',
    }
    const { sessions } = await read(lines(...trunk, user('u2', 'a1', 'left'), label))
    expect(sessions.map(seen)).toEqual([
      ['user: one', 'model: first'],
      ['user: one', 'model: first', 'user: left'],
    ])
  })

  it('inherit what was damaged on the way', async () => {
    const { sessions } = await read(
      lines(header, '{"type":', ...trunk.slice(1), user('u2', 'a1', 'l'), user('u3', 'a1', 'r')),
    )
    for (const { events } of sessions) expect(events.map(({ type }) => type)).toContain('import/damaged')
    const { seedLength } = sessions[1]!.header
    expect(sessions[1]!.events.slice(0, seedLength)).toEqual(sessions[0]!.events.slice(0, seedLength))
  })

  it('name the session that the file was branched from, where its name tells', async () => {
    const from = async (path: string) =>
      (await read(lines({ ...header, parentSession: path }, ...trunk.slice(1)))).session.header
    expect((await from('/x/2026_0a1b2c3d-0000.jsonl')).parentSession).toBe('0a1b2c3d-0000')
    expect((await from('/x/session.jsonl')).parentSession).toBeUndefined()
  })
})
