import { describe, expect, it } from 'vitest'
import { Consent } from '../src/consent.js'
import { CommandRun } from '../src/run.js'
import { createIo, type RunOptions } from './support/run.js'

const onTerminal = (options: RunOptions) => {
  const { io, stderr } = createIo({ columns: 80, ...options })
  return { context: new CommandRun({ root: '/' }, io), stderr }
}

async function answers(stdin: string, count: number, signal?: AbortSignal): Promise<boolean[]> {
  const { context } = onTerminal({ stdin, ...(signal && { signal }) })
  const consent = new Consent(context, 'rm', false)
  const given: boolean[] = []
  for (let question = 0; question < count; question++) given.push(await consent.toRemove('it'))
  consent.close()
  return given
}

describe('Consent', () => {
  it('is asked for each time, and given by yes alone', async () => {
    expect(await answers('y\nno\nYES\n\n y \nyep\n', 6)).toEqual([true, false, true, false, true, false])
  })

  it('is not given once the input has ended', async () => {
    expect(await answers('', 2)).toEqual([false, false])
    expect(await answers('y\n', 3)).toEqual([true, false, false])
    expect(await answers('y', 2)).toEqual([true, false])
  })

  it('is not given by somebody who interrupts', async () => {
    expect(await answers('y\n', 1, AbortSignal.abort())).toEqual([false])
  })

  it('needs no question where it was given beforehand, and somebody to ask where it was not', async () => {
    const { io, stderr } = createIo({ stdin: '' })
    const context = new CommandRun({ root: '/' }, io)
    expect(await new Consent(context, 'rm', true).toRemove('it')).toBe(true)
    expect(stderr.text).toBe('')
    expect(() => new Consent(context, 'rm', false)).toThrow('give --yes')
  })

  it('says what it is about', async () => {
    const { context, stderr } = onTerminal({ stdin: 'y\n' })
    const consent = new Consent(context, 'rm', false)
    await consent.toRemove('scratch')
    consent.close()
    expect(stderr.text).toContain('Remove scratch for good? [y/N] ')
  })
})
