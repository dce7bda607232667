import { describe, expect, it } from 'vitest'
import { command, describeStaleness, generate, loadPages } from '../../catalog/generate.ts'
import { scratch } from '../scratch.ts'

const sources = {
  'packages/session/package.json': '{ "name": "@dsh/session" }',
  'packages/session/src/event.ts': `
/** All. */
export interface SessionEventMap {
  /** Opens a turn. And more. */
  'turn/start': { readonly turn: number }
  /** What the user said. */
  'user/message':
    | Message
    | {
        a: 1
      }
}
export type SurfaceEventType = 'user/message'
export interface Message { text: string }
`,
  'packages/session/src/error.ts': `
export const sessionErrorCodes = {
  NOT_JSON: 'A value | cannot be stored.',
  'OPEN_TURN': 'A turn is open.',
} as const
`,
  'packages/session/src/json.ts': "throw new SessionError('NOT_JSON')",
  'packages/note/package.json': '{ "name": "@dsh/note" }',
  'packages/note/src/index.ts': `
declare module '@dsh/session' {
  interface SessionEventMap {
    /** A note. */
    'note/added': { text: string }
  }
}
declare module '@dsh/llm' {
  interface SessionEventMap {
    /** Of another package. */
    'other/thing': 1
  }
}
`,
}

async function pagesOf(files: Readonly<Record<string, string>>) {
  return generate(scratch(files), await loadPages())
}

async function textOf(path: string, files: Readonly<Record<string, string>> = sources): Promise<string> {
  const page = (await pagesOf(files)).find(generated => generated.path === path)
  return page?.text ?? ''
}

describe('the event catalog', () => {
  it('lists the events of the core and of every extension with kind, package and first sentence', async () => {
    const rows = (await textOf('docs/event-catalog.md')).split('\n').filter(line => line.startsWith('| ['))
    expect(rows).toEqual([
      '| [`turn/start`](#turnstart) | log only | `@dsh/session` | Opens a turn. |',
      '| [`user/message`](#usermessage) | **surface** | `@dsh/session` | What the user said. |',
      '| [`note/added`](#noteadded) | log only | `@dsh/note` | A note. |',
    ])
  })

  it('gives each event a section with its payload, its docstring and links to the declarations', async () => {
    const text = await textOf('docs/event-catalog.md')
    const section = text.slice(text.indexOf('## user/message'), text.indexOf('## note/added'))
    expect(section.trim().split('\n')).toEqual([
      '## user/message',
      '',
      '**surface** · `@dsh/session` · [event.ts](../packages/session/src/event.ts)',
      '',
      'What the user said.',
      '',
      '```text',
      '| Message',
      '| {',
      '    a: 1',
      '  }',
      '```',
      '',
      'With [`Message`](../packages/session/src/event.ts).',
    ])
  })

  it('refuses an event without a docstring', async () => {
    const files = {
      ...sources,
      'packages/note/src/index.ts': "declare module '@dsh/session' { interface SessionEventMap { 'a/b': 1 } }",
    }
    await expect(pagesOf(files)).rejects.toThrow(
      'packages/note/src/index.ts: expected a docstring on the event a/b, found none',
    )
  })

  it('refuses sources without the map', async () => {
    const files = { ...sources, 'packages/session/src/event.ts': '' }
    await expect(pagesOf(files)).rejects.toThrow('expected @dsh/session to declare')
  })
})

describe('the table of errors', () => {
  it('lists codes and meanings in the order of the source, with the packages that use them', async () => {
    const rows = (await textOf('docs/errors.md')).split('\n').filter(line => line.startsWith('| `'))
    expect(rows).toEqual([
      '| `NOT_JSON` | A value \\| cannot be stored. | `@dsh/session` |',
      '| `OPEN_TURN` | A turn is open. | — |',
    ])
  })
})

describe('the table of invariants', () => {
  const rule = (fields: string) => ({
    ...sources,
    'packages/note/src/rules.ts': `
import type { InvariantRule } from '@dsh/session-invariant'
export const one: InvariantRule<number> = { ${fields}, initial: () => 0 }
const list: readonly InvariantRule[] = [one]
export const plain = { name: 'plain', code: 'PLAIN', description: 'Nothing.' }
`,
  })

  it('lists every constant that is declared as a rule', async () => {
    const text = await textOf('docs/invariants.md', rule("name: 'one', code: 'ONE', description: 'It holds.'"))
    expect(text.split('\n').filter(line => line.startsWith('| ['))).toEqual([
      '| [one](../packages/note/src/rules.ts) | `ONE` | It holds. | `@dsh/note` |',
    ])
  })

  it('is not written where there are no rules', async () => {
    expect(await textOf('docs/invariants.md')).toBe('')
  })

  it('refuses a rule without a description', async () => {
    await expect(pagesOf(rule("name: 'one', code: 'ONE'"))).rejects.toThrow(
      'packages/note/src/rules.ts: expected a rule whose description is a literal, found none',
    )
  })
})

describe('describeStaleness', () => {
  const generated = { path: 'docs/a.md', text: 'one\ntwo\n', current: 'one\ntwo\n' }

  it('says nothing of a page that is up to date', () => {
    expect(describeStaleness(generated)).toBeUndefined()
  })

  it.each([
    ['one\n2\n', 'docs/a.md:2: expected `two`, found `2`'],
    ['one\n', 'docs/a.md:2: expected `two`, found ``'],
    ['one', 'docs/a.md:2: expected `two`, found the end of the page'],
    ['one\ntwo\n\nmore', 'docs/a.md:4: expected the end of the page, found `more`'],
    [undefined, 'docs/a.md: expected a page generated from the sources, found none'],
  ])('names the first line that differs from %j, and the command', (current, message) => {
    expect(describeStaleness({ ...generated, current })).toBe(`${message}; run ${command}`)
  })
})
