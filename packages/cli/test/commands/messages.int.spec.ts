import { describe, expect, it } from 'vitest'
import { LogBuilder } from '../support/log-builder.js'
import { sharedRoot, TestRoot } from '../support/root.js'
import { jsonLines, run } from '../support/run.js'

const shared = sharedRoot()

describe('messages', () => {
  it('gives a program each message as it is', async () => {
    const { stdout } = await run('messages demo --json', { root: shared.path })
    const lines = jsonLines(stdout)
    expect(lines).toHaveLength(9)
    expect(lines[0]).toEqual({
      seq: 1,
      time: '2026-01-15T09:30:00.000Z',
      message: expect.objectContaining({ id: 'u1', role: 'user', source: { kind: 'user' } }),
    })
  })

  it('goes back to what the model saw earlier', async () => {
    const at = async (seq: number) =>
      jsonLines((await run(`messages demo --json --at ${seq}`, { root: shared.path })).stdout)
    expect(await at(0)).toEqual([])
    expect((await at(7)).map(({ seq }) => seq)).toEqual([1])
    expect((await at(28)).map(({ seq }) => seq)).toEqual([1, 7, 9, 11, 14, 18, 20, 22, 25])
    expect(await run('messages demo --at 29', { root: shared.path })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('INVALID_BOUNDARY: expected a seq from 0 to 28, found 29'),
    })
  })

  it('rebuilds the request of a step', async () => {
    const [request, ...messages] = jsonLines(
      (await run('messages demo --json --at 4 --request', { root: shared.path })).stdout,
    )
    expect(request).toMatchObject({
      request: { header: { config: { provider: 'acme', model: 'large-1' }, system: 'Be brief.' } },
    })
    expect(messages).toHaveLength(1)
    const { stdout } = await run('messages demo --at 1 --request', { root: shared.path })
    expect(stdout).toBe('no request is recorded before this point\n')
  })

  it('shows every kind of content, and cuts long texts of tools unless told not to', async () => {
    const long = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n')
    const log = new LogBuilder()
      .prompt('Read it')
      .answer('Reading.\nNow.', { reasoning: 'Hm.', calls: [{ name: 'read', result: long }] })
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' }
    log.message('user/message', {
      id: 'i',
      role: 'user',
      source: { kind: 'plugin', plugin: 'eye' },
      content: [image, { type: 'x/new', a: 1 }],
    })
    const root = new TestRoot()
    await root.store('s', log.events)
    const cut = (await run('messages s', { root: root.path })).stdout
    expect(cut).toContain('  Hm.\n  Reading.\n  Now.\n  → read  c1.1.0\n')
    expect(cut).toContain('      line 11\n      … 28 more lines (--full)\n')
    expect(cut).toMatch(/^user .* eye\n {2}\[image\/png 3 B\]\n {2}\{"type":"x\/new","a":1\}\n$/m)
    const full = (await run('messages s --full', { root: root.path })).stdout
    expect(full).toContain('      line 39\n')
    expect(full).not.toContain('more lines')
  })

  it('shows only the last ones when told to', async () => {
    expect(
      jsonLines((await run('messages demo --json -n 2', { root: shared.path })).stdout).map(({ seq }) => seq),
    ).toEqual([22, 25])
    expect((await run('messages demo -n 0', { root: shared.path })).stdout).toBe('')
  })
})
