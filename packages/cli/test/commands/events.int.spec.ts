import { describe, expect, it } from 'vitest'
import { sharedRoot } from '../support/root.js'
import { jsonLines, run } from '../support/run.js'

const shared = sharedRoot()
const events = (command: string, options: object = {}) => run(`events ${command}`, { root: shared.path, ...options })

async function seqs(command: string): Promise<unknown[]> {
  const { code, stdout } = await events(`demo --json ${command}`)
  expect(code).toBe(0)
  return jsonLines(stdout).map(({ seq }) => seq)
}

describe('events', () => {
  it('gives a program every event as it is, with its time as ISO 8601', async () => {
    const lines = jsonLines((await events('demo --json')).stdout)
    expect(lines.map(({ seq }) => seq)).toEqual(Array.from({ length: 28 }, (_, seq) => seq))
    expect(lines[1]).toEqual({
      type: 'user/message',
      seq: 1,
      time: '2026-01-15T09:30:00.000Z',
      surfaceOp: 'append',
      data: expect.objectContaining({ id: 'u1' }),
    })
  })

  it('narrows by type, range and number', async () => {
    expect(await seqs('--type turn/start --type turn/end')).toEqual([0, 16, 17, 27])
    expect(await seqs('--type tool/* --from 10 --to 22')).toEqual([10, 11, 21])
    expect(await seqs('--from 26')).toEqual([26, 27])
    expect(await seqs('--from 28')).toEqual([])
    expect(await seqs('-n 2 --from 3')).toEqual([3, 4])
    expect(await seqs('--skip-chunks --to 8')).toEqual([0, 1, 2, 3, 7])
  })

  it('refuses a beginning behind the end, and contradictions', async () => {
    expect(await events('demo --from 29')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('INVALID_BOUNDARY'),
    })
    expect(await events('demo --follow --to 5')).toMatchObject({ code: 2 })
    expect(await events('demo --from -1')).toMatchObject({ code: 2 })
  })

  it('prints what is before a damage, then says what is wrong', async () => {
    const { code, stdout, stderr } = await events('broken --json')
    expect(jsonLines(stdout).map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5])
    expect({ code, lines: stderr.split('\n').length }).toEqual({ code: 5, lines: 2 })
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'SESSION_CORRUPT', session: 'broken', seq: 6 } })
  })

  it('follows until it is interrupted, and then says nothing', async () => {
    const interrupt = new AbortController()
    const onOutput = (stdout: string) => {
      if (stdout.includes('turn 2 completed')) interrupt.abort()
    }
    const { code, stdout, stderr } = await events('demo --from 20 --follow', { signal: interrupt.signal, onOutput })
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' })
    expect(stdout.split('\n')).toHaveLength(9)
  })

  it('stops following when it has printed enough', async () => {
    expect(await events('demo --follow --json -n 1')).toMatchObject({ code: 0, stderr: '' })
  })
})
