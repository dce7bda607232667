import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LogBuilder } from '../support/log-builder.js'
import { sharedRoot, TestRoot, temporary } from '../support/root.js'
import { run } from '../support/run.js'

const shared = sharedRoot()

/** Whether a text of several lines moves the cursor, or reorders what is around it. */
function hasControls(text: string): boolean {
  return /[\p{Cc}\u{202a}-\u{202e}\u{2066}-\u{2069}]/u.test(text.replace(/[\n\t]/g, ''))
}

describe('export', () => {
  it.each(['markdown', 'html', 'anthropic', 'openai', 'jsonl'])('writes %s', async format => {
    const { code, stdout } = await run(`export demo --format ${format}`, { root: shared.path })
    expect(code).toBe(0)
    expect(stdout).toContain('src/parser.ts is the longest')
  })

  it('writes Markdown where no format is asked for', async () => {
    const { stdout } = await run('export demo', { root: shared.path })
    expect(stdout).toBe((await run('export demo --format markdown', { root: shared.path })).stdout)
  })

  it('writes a file, and overwrites none', async () => {
    const cwd = temporary()
    writeFileSync(join(cwd, 'there.md'), 'mine')
    expect(await run('export demo -o new.md', { root: shared.path, cwd })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'wrote new.md\n',
    })
    expect(readFileSync(join(cwd, 'new.md'), 'utf8')).toContain('src/parser.ts')
    expect(await run('export demo -o there.md', { root: shared.path, cwd })).toEqual({
      code: 4,
      stdout: '',
      stderr: 'dsh-session: FILE_EXISTS: cannot write there.md: it exists already, and nothing is overwritten\n',
    })
    expect(readFileSync(join(cwd, 'there.md'), 'utf8')).toBe('mine')
  })

  it('hides what a pattern finds', async () => {
    const command = ['export', 'demo', '--format', 'jsonl', '--redact', '/home/[a-z]+', '--redact', 'parser']
    const { stdout } = await run(command, { root: shared.path })
    expect(stdout).not.toMatch(/sam|parser/)
    expect(stdout).toContain('[redacted]')
    expect(await run(['export', 'demo', '--redact', '('], { root: shared.path })).toMatchObject({ code: 2, stdout: '' })
  })

  it('keeps a log exact in a file, and safe on a terminal', async () => {
    const root = new TestRoot()
    const text = 'a\u001b[2J\u009b\u202eb\u2028\u0000'
    await root.store('s', new LogBuilder().prompt(text).end().events)
    const cwd = temporary()
    await run('export s --format jsonl -o s.jsonl', { root: root.path, cwd })
    const { stdout } = await run('export s --format jsonl', { root: root.path })
    const parse = (log: string) =>
      log
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
    expect(parse(stdout)).toEqual(parse(readFileSync(join(cwd, 's.jsonl'), 'utf8')))
    expect(parse(stdout)[2].data.content[0].text).toBe(text)
    for (const format of ['jsonl', 'markdown', 'html', 'openai', 'anthropic']) {
      const { stdout: shown } = await run(`export s --format ${format}`, { root: root.path })
      expect(hasControls(shown)).toBe(false)
    }
  })
})
