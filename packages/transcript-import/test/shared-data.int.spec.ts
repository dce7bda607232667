import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { providerTranscript } from '@dsh/llm'
import { forkSession, type Session } from '@dsh/session'
import { findViolations } from '@dsh/session-invariant'
import { exportTranscript, type ImportedTranscript, importTranscript, streamTranscript } from '@dsh/transcript-import'
import { describe, expect, it } from 'vitest'
import { lostTexts } from './support/lost.js'
import { portable, stored } from './support/stored.js'

const root = fileURLToPath(new URL('../../../../shared/data', import.meta.url))
const formats = [
  'claude-code',
  'codex',
  'deepseek-harness',
  'gemini-cli',
  'goose',
  'openhands',
  'pi',
  'swe-agent',
] as const

/** Why a rule of the invariants is broken in an imported log. Only logs that were event logs before break any. */
const explained: Readonly<Record<string, string>> = {
  'PAYLOAD_SHAPE data.source.form': 'sources carry data of their plugin, which is kept',
  'PAYLOAD_SHAPE data.source.rpcId': 'sources carry data of their plugin, which is kept',
  'PAYLOAD_SHAPE data.source.compactionId': 'sources carry data of their plugin, which is kept',
  'TURN_TRIGGER data.trigger.source.form': 'sources carry data of their plugin, which is kept',
  'TURN_TRIGGER data.trigger.source.rpcId': 'sources carry data of their plugin, which is kept',
  'PAYLOAD_SHAPE data.interrupted': 'a flag of that version on answers that were cut off, which is kept',
  'PAYLOAD_SHAPE data.header.adapterDefaults': 'a field of that version of the header, which is kept',
  'PAYLOAD_SHAPE data.header.messagePrefix': 'a field of that version of the header, which is kept',
  'ENCLOSURE type': 'the fixtures hold single events of a turn',
  'ASSEMBLY_MISMATCH data.message.content': 'the fixture was cut at a limit after it was streamed',
}

const imports = new Map<string, Promise<ImportedTranscript>>()

describe.skipIf(!existsSync(root))('the collected transcripts (skipped where ../shared/data is absent)', () => {
  for (const format of formats) {
    const folder = `${root}/${format}`
    const files = existsSync(folder) ? readdirSync(folder).sort() : []

    describe(format, () => {
      it('import as they did before', async () => {
        const rows = await Promise.all(files.map(file => row(file, `${folder}/${file}`)))
        expect(rows.flat()).toMatchSnapshot()
      })

      it('lose no text', async () => {
        for (const file of files) {
          const { sessions } = await importFile(`${folder}/${file}`)
          expect(lostTexts(readFileSync(`${folder}/${file}`, 'utf8'), sessions)).toEqual([])
        }
      })

      it('break no invariant without a known reason', async () => {
        const broken = await each(files, folder, violations)
        expect(broken.filter(violation => !(violation in explained))).toEqual([])
      })

      it('stay equal when stored, restored and forked', async () => {
        await each(files, folder, session => {
          for (const trusted of [true, false]) {
            const back = stored(session, trusted)
            expect(back.deriveMessages()).toEqual(session.deriveMessages())
            expect(back.events).toEqual(session.events)
          }
          const fork = forkSession(session, { id: 'fork', createdAt: 0 })
          expect(fork.events).toEqual(session.events)
          return []
        })
      })

      it('are the same twice, in pieces, and as a stream', async () => {
        for (const file of files) {
          const bytes = readFileSync(`${folder}/${file}`)
          const once = await importFile(`${folder}/${file}`)
          const again = await importTranscript(inPieces(bytes, 777))
          expect(again.sessions.map(({ events }) => events)).toEqual(once.sessions.map(({ events }) => events))
          expect(await streamed(bytes)).toEqual(once.sessions.map(({ events }) => events))
        }
      })

      it('survive the way through plain JSONL exactly', async () => {
        await each(files, folder, async session => {
          const back = await importTranscript(exportTranscript(session, 'jsonl'))
          expect(back.sessions[0]!.header).toEqual(session.header)
          expect(back.sessions[0]!.events).toEqual(session.events)
          return []
        })
      })

      it('survive the way through message lists but for ids, sources and the spacing of arguments', async () => {
        await each(files, folder, async session => {
          const { messages } = providerTranscript(session.deriveMessages())
          if (messages.length === 0) return []
          for (const api of ['anthropic', 'openai'] as const) {
            const back = await importTranscript(exportTranscript(session, api))
            expect(compact(back.sessions[0]!.deriveMessages(), api)).toEqual(compact(messages, api))
          }
          return []
        })
      })

      it('can be read as Markdown and HTML', async () => {
        await each(files, folder, session => {
          expect(exportTranscript(session, 'markdown')).toMatch(/^# /)
          expect(exportTranscript(session, 'html')).toMatch(/<\/html>\n$/)
          return []
        })
      })
    })
  }
})

function importFile(path: string): Promise<ImportedTranscript> {
  const known = imports.get(path) ?? importTranscript(readFileSync(path))
  imports.set(path, known)
  return known
}

/** What one file becomes, in numbers. */
async function row(file: string, path: string): Promise<string[]> {
  const { sessions, report } = await importFile(path)
  const sum = (key: 'records' | 'kept' | 'partly') =>
    Object.values(report.kinds).reduce((total, kind) => total + kind[key], 0)
  const lines = sessions.map((session, index) => {
    const { role, inherited, types, endings, unansweredCalls, notes } = report.sessions[index]!
    const messages = session.deriveMessages()
    const transcript = providerTranscript(messages)
    const facts: [name: string, value: string | number][] = [
      ['events', session.seq],
      ['inherited', inherited],
      ['turns', words(endings)],
      ['answers', types['assistant/message'] ?? 0],
      ['results', types['tool/result'] ?? 0],
      ['unanswered', unansweredCalls],
      ['messages', messages.length],
      ['for a provider', transcript.messages.length],
      ['changed', words(counts(transcript.changes.map(({ kind }) => kind)))],
      ['notes', words(notes)],
      ['broken', words(counts(violations(session)))],
    ]
    const told = facts.filter(([, value]) => value !== 0 && value !== '')
    return `  ${role}: ${told.map(([name, value]) => `${name} ${value}`).join('; ')}`
  })
  return [
    `${file}: ${sum('records')} records, ${sum('kept')} kept, ${sum('partly')} in part, ${report.damaged} damaged`,
    ...lines,
  ]
}

function violations(session: Session): string[] {
  return findViolations(session).map(({ code, path }) => `${code} ${path}`)
}

function words(found: Readonly<Record<string, number>>): string {
  return Object.entries(found)
    .map(([name, count]) => `${name} ×${count}`)
    .join(', ')
}

async function each(
  files: readonly string[],
  folder: string,
  look: (session: Session) => string[] | Promise<string[]>,
): Promise<string[]> {
  const found: string[] = []
  for (const file of files) {
    const { sessions } = await importFile(`${folder}/${file}`)
    for (const session of sessions) found.push(...(await look(session)))
  }
  return found
}

async function streamed(bytes: Uint8Array): Promise<unknown[]> {
  const logs = new Map<string, unknown[]>()
  const steps = streamTranscript(() => inPieces(bytes, 10_000))
  let step = await steps.next()
  for (; step.done !== true; step = await steps.next()) {
    const { header, events, inherits } = step.value
    const inherited = inherits === undefined ? [] : logs.get(inherits.from)!.slice(0, inherits.boundary + 1)
    logs.set(header.id, [...(logs.get(header.id) ?? inherited), ...events])
  }
  return step.value.sessions.map(({ id }) => logs.get(id)!)
}

function* inPieces(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** Arguments without spacing; for OpenAI, whose answers hold text before calls, in that order. */
function compact(messages: Parameters<typeof portable>[0], api: 'anthropic' | 'openai'): unknown {
  const text = JSON.stringify(portable(messages), (key, value) => (key === 'arguments' ? spaceless(value) : value))
  const plain: { content: { type: string }[] }[] = JSON.parse(text)
  const rank = ({ type }: { type: string }) => (type === 'reasoning' ? 0 : type === 'tool-call' ? 2 : 1)
  if (api === 'openai') for (const { content } of plain) content.sort((a, b) => rank(a) - rank(b))
  return plain
}

function spaceless(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}

function counts(names: readonly string[]): Record<string, number> {
  const found: Record<string, number> = {}
  for (const name of names) found[name] = (found[name] ?? 0) + 1
  return found
}
