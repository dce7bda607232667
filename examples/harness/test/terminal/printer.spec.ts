import { describe, expect, it } from 'vitest'
import { Printer } from '../../src/terminal/printer.ts'
import { Screen } from '../../src/terminal/screen.ts'
import { todoWrite } from '../../src/tools/todo-write.ts'
import { startHarness } from '../support/harness.ts'
import { outputOf } from '../support/output.ts'
import { answers, cut, fails, type Script, ScriptedProvider, textChunks } from '../support/scripted-provider.ts'
import { toolNamed } from '../support/tools.ts'

async function shown(scripts: readonly Script[], prompts: readonly string[], showsPrompts = true): Promise<string> {
  const output = outputOf()
  const printer = new Printer(new Screen(output), showsPrompts)
  const broken = toolNamed('broken', () => {
    throw new Error('it broke')
  })
  const echo = toolNamed('echo', ({ text }) => String(text))
  const { ctx, loop } = await startHarness({
    provider: new ScriptedProvider(...scripts),
    tools: [echo, broken, todoWrite],
  })
  ctx.on('session/event', (session, event) => printer.print(session, event))
  for (const prompt of prompts) await (prompt === 'retry' ? loop.retry() : loop.prompt(prompt))
  return output.text
}

describe('Printer', () => {
  it('shows a turn as it happens', async () => {
    const usage = { inputTokens: 1000, outputTokens: 234 }
    const scripts = [
      answers('I call them.', [
        { id: 'a', name: 'echo', args: { text: 'two\nlines' } },
        { id: 'b', name: 'nobody' },
      ]),
      answers('', [{ id: 'a', name: 'broken' }]),
      answers('', [{ id: 'a', name: 'todo_write', args: { todos: [{ content: 'Rest', status: 'pending' }] } }]),
      answers('Done.', [], usage),
    ]
    expect(await shown(scripts, ['Go.'])).toBe(
      [
        '› Go.',
        'I call them.',
        '⚙ echo {"text":"two\\nlines"}',
        '  ✗ not run: There is no tool "nobody".',
        '  ✓ echo: two lines',
        '⚙ broken {}',
        '  ✗ broken: it broke',
        '⚙ todo_write {"todos":[{"content":"Rest","status":"pending"}]}',
        '  ☐ Rest',
        '  ✓ todo_write: 1 entries.',
        'Done.',
        '— turn 1: completed, 4 steps, 1,234 tokens so far',
        '',
      ].join('\n'),
    )
  })

  it('shows failures, further turns and cut answers', async () => {
    const scripts = [fails({ status: 400 }), cut(...textChunks('Half'))]
    expect(await shown(scripts, ['Go.', 'retry'], false)).toBe(
      [
        '✗ HTTP_ERROR: it failed',
        '— turn 1: failed: HTTP_ERROR: it failed, 1 step, 0 tokens so far',
        '↻ going on',
        'Half',
        '— turn 2: cut at the output limit, 1 step, 0 tokens so far',
        '',
      ].join('\n'),
    )
  })
})
