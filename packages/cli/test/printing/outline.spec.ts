import { Session } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { type Depth, printTurn } from '../../src/printing/outline.js'
import { courseOf } from '../../src/reading/course.js'
import { LogBuilder } from '../support/log-builder.js'
import { printed } from '../support/printed.js'

const log = new LogBuilder()
  .prompt('Read it')
  .answer('', {
    usage: { inputTokens: 1_000, outputTokens: 5 },
    calls: [
      { name: 'read', result: 'x', took: 1_500 },
      { name: 'write_everything', result: 'no', isError: true },
      { name: 'slow' },
    ],
  })
  .end({ kind: 'aborted' })

function outline(depth: Depth, columns?: number) {
  const course = courseOf(new Session('s' as Session['id'], log.events))
  return printed(out => printTurn(out, course.outline.turns[0]!, course, depth), columns)
}

describe('printTurn', () => {
  it('goes as deep as it is told', async () => {
    const turn = 'turn 1  aborted  3.3 s  #0–11  1,000 in, 5 out  message\n  Read it\n'
    expect(await outline('turns')).toBe(turn)
    expect(await outline('steps')).toBe(`${turn}  step 1  3.3 s  #2–10  1,000 in, 5 out\n`)
    expect(await outline('tools')).toBe(
      `${turn}  step 1  3.3 s  #2–10  1,000 in, 5 out\n` +
        '    read              ok     1.5 s\n    write_everything  error  300 ms\n    slow              no result  \n',
    )
  })

  it('keeps within the terminal', async () => {
    for (const line of (await outline('tools', 24)).split('\n')) expect(line.length).toBeLessThanOrEqual(24)
  })
})
