import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LogBuilder } from '../support/log-builder.js'
import { exampleRoot } from '../support/root.js'
import { jsonLines, run } from '../support/run.js'

let options: { readonly cwd: string; readonly root: string }

beforeAll(async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'dsh-cli-'))
  options = { cwd, root: join(cwd, 'all.sqlite') }
  const root = await exampleRoot(join(cwd, 'sessions'))
  await root.store('hostile', new LogBuilder().prompt('parser \u001b[2J\u202e gone').end().events)
  await run(`migrate demo demo-fork scratch hostile --root ${root.path} --to all.sqlite`, options)
})

afterAll(() => rmSync(options.cwd, { recursive: true }))

interface Hits {
  readonly hits: readonly { id: string; seq: number; role: string; snippet: string; matches: [number, number][] }[]
  readonly cursor?: string
}

describe('search', () => {
  it('finds texts with where they are and what matched', async () => {
    const search = async (...words: string[]) =>
      jsonLines((await run(['search', ...words, '--json'], options)).stdout)[0] as unknown as Hits
    const { hits } = await search('configuration', '--role', 'assistant')
    expect(hits.map(({ id, seq }) => `${id} ${seq}`).sort()).toEqual(['demo 14', 'demo-fork 14'])
    const { snippet, matches } = hits[0]!
    expect(snippet.slice(matches[0]![0], matches[0]![0] + matches[0]![1])).toBe('configuration')
    expect(hits[0]).toMatchObject({ role: 'assistant', time: '2026-01-15T09:30:02.467Z' })
    expect((await search('测试')).hits).toEqual([expect.objectContaining({ id: 'demo', seq: 18 })])
    expect((await search('parser', '--cwd', '/tmp')).hits).toEqual([])
    const first = await search('parser', '-n', '1')
    expect(first.hits).toHaveLength(1)
    const rest = await search('parser', '-n', '99', '--cursor', first.cursor!)
    expect(rest.hits.map(({ id, seq }) => [id, seq])).not.toContainEqual([first.hits[0]!.id, first.hits[0]!.seq])
  })

  it('shows people the place and the words, and nothing that drives a terminal', async () => {
    const { stdout } = await run('search gone', { ...options, columns: 80, env: { NO_COLOR: '1' } })
    expect(stdout).toMatch(/^hostile {2}#1 {2}user {2}2026-01-15 .*\n {2}parser \\x1b\[2J\\u\{202e\} gone\n$/)
    const coloured = await run('search gone', { ...options, columns: 80 })
    expect(coloured.stdout).toContain('\u001b[33mgone\u001b[39m')
  })

  it('says when there is nothing, when there is more, and what a query lacks', async () => {
    expect(await run('search nowhere', options)).toEqual({ code: 0, stdout: '', stderr: 'nothing was found\n' })
    expect((await run('search parser -n 1', options)).stderr).toMatch(/^there are more: --cursor '/)
    for (const words of [[''], [' ', '\t']]) {
      expect(await run(['search', ...words], options)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^dsh-session: USAGE: .* the query is empty; /),
      })
    }
    expect(await run(['search', '"'], options)).toMatchObject({ code: 2, stdout: '' })
    expect(await run('search parser --rebuild -q', options)).toMatchObject({ code: 0, stderr: '' })
  })
})
