import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SessionEvent } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { commands } from '../src/commands/index.js'
import { LogBuilder } from './support/log-builder.js'
import { TestRoot } from './support/root.js'
import { run } from './support/run.js'
import { splitWords } from './support/words.js'

/** Clears the screen, sets the title, goes back and up, rings, hides, reorders, ends lines of every kind. */
const evil =
  'A\u001b[2J\u001b]0;owned\u0007\u009b1A\r\n\t\b\u0000\u007f\u0085\u202eB\u2066\u200f\u2028\ud800\u{e0041}\ufeffZ'

const ids = { session: `s${evil}`, fork: `f${evil}`, broken: `b${evil}`, trashed: `t${evil}` }

function hostileLog(): SessionEvent[] {
  const log = new LogBuilder()
  const message = (content: unknown[], source: object) => ({ id: `m${evil}`, role: 'user', source, content })
  log.add('turn/start', { turn: evil, trigger: { kind: evil, source: { kind: 'plugin', plugin: evil } } })
  log.message('user/message', message([{ type: 'text', text: evil }], { kind: 'user' }))
  log.message('user/message', message([{ type: 'text', text: evil }], { kind: 'plugin', plugin: evil }))
  log.message(
    'user/message',
    message(
      [
        { type: 'image', mediaType: evil, ref: evil },
        { type: evil, [evil]: evil },
      ],
      { kind: evil },
    ),
  )
  log.add('turn/end', { turn: evil, reason: { kind: evil, message: evil } })
  log.prompt(evil)
  log.add('step/start', { turn: 1, step: 1 })
  const header = {
    config: { provider: evil, model: evil, [evil]: evil },
    system: evil,
    tools: [{ name: evil, description: evil, parameters: {} }],
  }
  log.add('request/header', { header, reason: evil })
  log.add('request/context', { provider: evil, model: evil, contextWindow: evil })
  log.add('assistant/chunk', { turn: 1, step: 1, chunk: { type: evil, text: evil } })
  const call = { type: 'tool-call', id: evil, name: evil, arguments: evil }
  const answer = {
    id: evil,
    role: 'assistant',
    source: { kind: 'model', provider: evil, model: evil },
    content: [{ type: 'reasoning', text: evil }, { type: 'text', text: evil }, call],
  }
  const usage = { inputTokens: 5, outputTokens: 5, [evil]: evil }
  log.message('assistant/message', { turn: 1, step: 1, message: answer, usage })
  log.add('tool/call', { turn: 1, step: 1, callId: evil, name: evil, arguments: evil })
  const result = { type: 'tool-result', toolCallId: evil, content: [{ type: 'text', text: evil }], isError: true }
  log.message('tool/result', {
    turn: 1,
    step: 1,
    message: { ...message([result], { kind: 'tool', callId: evil }), role: 'user' },
  })
  log.add('todo/write', { todos: [{ content: evil, status: 'in_progress' }] })
  log.add(`plugin/${evil}`, { [evil]: evil })
  return log.add('step/end', { turn: 1, step: 1 }).end().events
}

async function hostileRoot(): Promise<{ root: string; cwd: string }> {
  const root = new TestRoot()
  const events = hostileLog()
  await root.store(ids.session, events, { cwd: `/w${evil}` })
  await root.store(ids.fork, events, {
    parentSession: ids.session as never,
    seedLength: events.length,
    cwd: `/w${evil}`,
  })
  await root.store(ids.trashed, events)
  await root.use(driver => driver.trash(ids.trashed as never))
  await root.store(ids.broken, events, { parentSession: `nobody${evil}` as never }, 4)
  root.damage(ids.broken, bytes => {
    const at = bytes.indexOf('step/start')
    bytes[at] = 0x53
    return bytes
  })
  const cwd = dirname(root.path)
  const chat = [
    { role: 'user', content: evil },
    { role: evil, content: evil, [evil]: evil },
  ]
  writeFileSync(join(cwd, 'chat.json'), JSON.stringify({ messages: chat }))
  writeFileSync(
    join(cwd, 'bad.jsonl'),
    `{"type":"session","version":0,"id":${JSON.stringify(evil)}}\n{"broken ${evil}\n`,
  )
  return { root: root.path, cwd }
}

// SESSION, FORK, BROKEN and TRASHED stand for the hostile ids. What changes the root comes last.
const lines = [
  'ls',
  'ls --ids',
  'ls --trash',
  'ls --cursor SESSION',
  'ls --parent SESSION',
  'show SESSION',
  'show FORK --depth turns',
  'show BROKEN',
  'show nothingSESSION',
  'messages SESSION --full',
  'messages SESSION --request',
  'messages SESSION --at 999',
  'events SESSION',
  'events BROKEN',
  'tail SESSION -n 99',
  'events SESSION -n 9 --follow',
  'diff SESSION FORK --events',
  'diff SESSION@4 @99',
  'diff SESSION@4 @12 --events',
  'stats',
  'stats SESSION',
  'verify',
  'verify BROKEN',
  'doctor',
  'path SESSION',
  'export SESSION --format markdown',
  'export SESSION --format html',
  'export SESSION --format openai',
  'export SESSION --format anthropic',
  'export SESSION --format jsonl',
  'fork SESSION --boundary 3',
  'fork SESSION --as FORK',
  'import chat.json --as SESSION',
  'import chat.json --as newSESSION',
  'import bad.jsonl',
  'import missingSESSION',
  'search SESSION',
  'migrate --to copy',
  'migrate --to copy',
  'doctor BROKEN --salvage',
  'doctor FORK SESSION',
  'prune --older-than 1h -n',
  'trash FORK',
  'restore TRASHED',
  'trash TRASHED',
  'trash --empty -n',
  'trash --empty',
  'rm --trashed nothingTRASHED --yes',
  'trash --empty --yes',
  'rm FORK --yes',
  'rm SESSION --yes',
  'ls --since SESSION',
  'completion SESSION',
  'SESSION',
]

/** What an output holds that a terminal obeys; the colours, the progress and the questions of the command left aside. */
function driving(output: string, keepsMarks: boolean): string[] {
  const marker = String.fromCharCode(0x1b)
  const own = output
    .replaceAll(new RegExp(`${marker}\\[(?:\\d+[mG]|0J)|\\r${marker}\\[K`, 'gu'), '')
    .replaceAll('\n', '')
  const marks = keepsMarks ? '\\u{200f}\\u{feff}\\t' : ''
  const unsafe = new RegExp(
    `(?![${marks}])[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u{200b}-\\u{200f}\\u{202a}-\\u{202e}\\u{2060}-\\u{206f}\\u{feff}\\u{e0000}-\\u{e007f}]`,
    'gu',
  )
  return (own.match(keepsMarks ? unsafe : new RegExp(unsafe.source.replace('(?![])', ''), 'gu')) ?? []).map(char =>
    char.codePointAt(0)!.toString(16),
  )
}

describe('nothing that a session holds drives the terminal', () => {
  it.each([
    { name: 'on a terminal', options: { columns: 100 }, extra: [] },
    { name: 'in a pipe', options: {}, extra: ['--color', 'always'] },
    { name: 'in JSON', options: {}, extra: ['--json'] },
  ])('$name, whatever the command', async ({ options, extra }) => {
    const places = await hostileRoot()
    const seen = new Set<string>()
    let shown = 0
    for (const line of lines) {
      const words = splitWords(line).map(word =>
        word
          .replace('SESSION', () => ids.session)
          .replace('FORK', () => ids.fork)
          .replace('BROKEN', () => ids.broken)
          .replace('TRASHED', () => ids.trashed),
      )
      const { stdout, stderr } = await run([...words, ...extra], { ...places, ...options })
      const keepsMarks = line.startsWith('export')
      expect({ line, found: [...driving(stdout, keepsMarks), ...driving(stderr, false)] }).toEqual({ line, found: [] })
      if ((stdout + stderr).includes('[2J')) shown++
      seen.add(words[0]!)
    }
    for (const { name } of commands) expect(seen).toContain(name)
    // The test would say nothing if the text had not got there at all.
    expect(shown).toBeGreaterThan(lines.length / 2)
  })
})
