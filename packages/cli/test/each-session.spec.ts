import { describe, expect, it } from 'vitest'
import type { CommandContext } from '../src/command.js'
import { eachSession } from '../src/each-session.js'
import { CliError } from '../src/error.js'
import { describeFailure } from '../src/failure.js'
import { Output, OutputClosed } from '../src/terminal/output.js'
import { createIo } from './support/run.js'

function createContext() {
  const { io, stdout } = createIo()
  const interrupt = new AbortController()
  const failed: unknown[] = []
  const context = {
    io,
    out: new Output(io.stdout, { colors: false }),
    signal: interrupt.signal,
    fail: (error: unknown) => {
      failed.push(error)
      return describeFailure(error).exitCode
    },
  } as unknown as CommandContext
  return { context, stdout, failed, interrupt }
}

describe('eachSession', () => {
  it('goes on behind a failure, and ends with the code of the first', async () => {
    const { context, failed } = createContext()
    const done: string[] = []
    const code = await eachSession(context, ['a', 'b', 'c', 'd'], async name => {
      if (name === 'b') throw new CliError('AMBIGUOUS_ID', 'b')
      if (name === 'c') throw new CliError('FILE_NOT_FOUND', 'c')
      done.push(name)
    })
    expect(code).toBe(4)
    expect(done).toEqual(['a', 'd'])
    expect(failed).toHaveLength(2)
  })

  it('shows what is done before it goes on', async () => {
    const { context, stdout } = createContext()
    const seen: string[] = []
    await eachSession(context, ['a', 'b'], async name => {
      seen.push(stdout.text)
      context.out.line(name)
    })
    expect(seen).toEqual(['', 'a\n'])
  })

  it('stops when somebody interrupts or nobody reads any more', async () => {
    const { context, interrupt, failed } = createContext()
    const stop = eachSession(context, ['a', 'b'], async () => interrupt.abort())
    await expect(stop).rejects.toBe(interrupt.signal.reason)
    const closed = eachSession(createContext().context, ['a'], async () => {
      throw new OutputClosed()
    })
    await expect(closed).rejects.toBeInstanceOf(OutputClosed)
    expect(failed).toEqual([])
  })
})
