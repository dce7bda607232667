import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exampleRoot, temporary } from '../support/root.js'
import { jsonLines, run } from '../support/run.js'

const chat = JSON.stringify({
  model: 'large-1',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'What is in a.txt?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a.txt"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'Hello' },
    { role: 'assistant', content: 'It says Hello.' },
  ],
})

function setUp(files: Record<string, string>) {
  const cwd = temporary()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  return { cwd, root: join(cwd, 'new', 'sessions') }
}

describe('import', () => {
  it('stores a transcript as a session in a root that it makes, and reports what it read', async () => {
    const options = setUp({ 'chat.json': chat })
    const { code, stdout } = await run('import chat.json --as chat --json', options)
    expect(code).toBe(0)
    expect(jsonLines(stdout)[0]).toMatchObject({
      file: 'chat.json',
      format: 'openai',
      damaged: 0,
      sessions: [{ id: 'chat', role: 'live' }],
    })
    const { stdout: messages } = await run('messages chat', options)
    expect(messages).toContain('  → read  c1\n')
    expect(messages).toContain('  It says Hello.\n')
    expect(await run('verify', options)).toMatchObject({ code: 0 })
  })

  it('reads standard input', async () => {
    const options = setUp({})
    expect(await run('import - --as piped', { ...options, stdin: chat })).toMatchObject({ code: 0 })
    expect((await run('ls --ids', options)).stdout).toBe('piped\n')
  })

  it('does not import the same session twice, unless under another id', async () => {
    const options = setUp({ 'chat.json': chat })
    await run('import chat.json --as chat', options)
    expect(await run('import chat.json --as chat', options)).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('SESSION_ALREADY_EXISTS'),
    })
    expect((await run('events chat --json', options)).stdout).not.toBe('')
    expect(await run('import chat.json --new-ids', options)).toMatchObject({ code: 0 })
    expect((await run('ls --ids', options)).stdout.split('\n')).toHaveLength(3)
  })

  it('imports what a session was exported as', async () => {
    const { path: root } = await exampleRoot()
    const cwd = temporary()
    await run('export demo --format jsonl -o demo.jsonl', { root, cwd })
    expect(await run('import demo.jsonl --as back', { root, cwd })).toMatchObject({ code: 0 })
    expect(await run('diff demo back', { root })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('28 events the same'),
    })
  })

  it('goes on behind a file that it cannot import, and leaves nothing of it', async () => {
    const options = setUp({ 'chat.json': chat, 'noise.txt': 'no transcript\n' })
    const { code, stdout, stderr } = await run('import missing.json noise.txt chat.json', options)
    expect(code).toBe(3)
    expect(stdout).toMatch(/^chat\.json/)
    expect(stderr).toContain('FILE_NOT_FOUND: cannot read missing.json')
    expect(stderr).toContain('FORMAT_UNSUPPORTED')
    expect((await run('ls --ids', options)).stdout.split('\n')).toHaveLength(2)
  })

  it('stores nothing of what is interrupted', async () => {
    const options = setUp({ 'chat.json': chat })
    expect(await run('import chat.json', { ...options, signal: AbortSignal.abort() })).toMatchObject({
      code: 130,
      stdout: '',
    })
    if (existsSync(options.root)) expect((await run('ls --ids', options)).stdout).toBe('')
  })

  it('says what was kept as it is and what could not be read', async () => {
    const lines = [
      {
        type: 'user',
        uuid: 'u',
        parentUuid: null,
        sessionId: 'cc',
        timestamp: '2026-01-01T00:00:00Z',
        cwd: '/w',
        message: { role: 'user', content: 'Hi' },
      },
      { type: 'last-prompt', sessionId: 'cc', prompt: 'Hi' },
    ]
    const options = setUp({ 'cc.jsonl': `${lines.map(line => JSON.stringify(line)).join('\n')}\n{"broken\n` })
    const { stdout } = await run('import cc.jsonl', options)
    expect(stdout).toMatch(/^cc\.jsonl {2}claude-code, \d records?\n {2}session {3}cc /)
    expect(stdout).toContain('  kept as they are: ')
    expect(stdout).toMatch(/ {2}1 place could not be read\n {4}line 3 {2}\S/)
  })

  it('refuses contradictions', async () => {
    const options = setUp({ 'a.json': chat, 'b.json': chat })
    for (const words of ['a.json b.json --as x', 'a.json --as x --new-ids', 'a.json --format word', '']) {
      expect(await run(`import ${words}`, options)).toMatchObject({ code: 2, stdout: '' })
    }
  })
})
