import type { Message } from '@dsh/llm'
import { describe, expect, it } from 'vitest'
import { printMessage, printRequestHeader } from '../../src/printing/message.js'
import { START } from '../support/log-builder.js'
import { printed } from '../support/printed.js'
import { useZone } from '../support/zone.js'

useZone()

const message = (content: unknown[], source: object = { kind: 'user' }, role = 'user') =>
  ({ seq: 4, time: START, message: { id: 'm', role, source, content } as unknown as Message }) as const

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n')

describe('printMessage', () => {
  it('says who, when, where and from what, and then what', async () => {
    const source = { kind: 'model', provider: 'p', model: 'm' }
    const text = await printed(out =>
      printMessage(out, message([{ type: 'text', text: 'One\nTwo' }], source, 'assistant'), { full: false }),
    )
    expect(text).toBe('assistant  2026-01-15 17:30:00  #4  p/m\n  One\n  Two\n')
  })

  it('breaks lines at the terminal and shows what would drive it', async () => {
    const content = [{ type: 'text', text: 'a few words\u001b[2J more' }]
    expect(await printed(out => printMessage(out, message(content), { full: false }), 14)).toBe(
      'user  2026-01-15 17:30:00  #4\n  a few\n  words\\x1b[2J\n  more\n',
    )
  })

  it('never cuts what people and models say, and cuts what tools say', async () => {
    const content = [
      { type: 'text', text: lines(40) },
      { type: 'tool-result', toolCallId: 'c', isError: true, content: [{ type: 'text', text: lines(40) }] },
    ]
    const text = await printed(out => printMessage(out, message(content, { kind: 'tool' }), { full: false }))
    expect(text).toContain('\n  line 39\n')
    expect(text).toContain('\n  ← error  c\n      line 0\n')
    expect(text).toMatch(/ {6}line 11\n {6}… 28 more lines \(--full\)\n$/)
    const full = await printed(out => printMessage(out, message(content), { full: true }))
    expect(full).toContain('      line 39\n')
  })

  it('does not cut where only one line would be spared', async () => {
    const content = [{ type: 'tool-result', toolCallId: 'c', content: [{ type: 'text', text: lines(13) }] }]
    expect(await printed(out => printMessage(out, message(content), { full: false }))).toContain('line 12\n')
  })
})

describe('printRequestHeader', () => {
  it('shows model, settings, tools and system prompt', async () => {
    const header = {
      config: { provider: 'p', model: 'm', temperature: 0.5, stop: ['x'] },
      system: 'Be brief.\nBe kind.',
      tools: [{ name: 'read', description: '', parameters: {} }],
    }
    expect(await printed(out => printRequestHeader(out, { header, contextWindow: 200_000 }))).toBe(
      'request  p/m\n  context window  200,000 tokens\n  temperature  0.5\n  stop  ["x"]\n  1 tool: read\n' +
        '  system prompt\n    Be brief.\n    Be kind.\n',
    )
    expect(await printed(out => printRequestHeader(out, {}))).toBe('no request is recorded before this point\n')
  })
})
