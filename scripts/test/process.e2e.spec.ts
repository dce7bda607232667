import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inParallel, run, tool } from '../process.ts'

const node = (code: string, options?: Parameters<typeof run>[2]) => run(process.execPath, ['--eval', code], options)

describe('run', () => {
  it('gives both streams and the exit code', async () => {
    const outcome = await node("console.log('out'); console.error('err'); process.exitCode = 3")
    expect(outcome).toMatchObject({ code: 3, stdout: 'out\n', stderr: 'err\n', timedOut: false })
    expect(outcome.output.split('\n').sort()).toEqual(['', 'err', 'out'])
  })

  it('keeps characters whole that the pipe divides', async () => {
    const { stdout } = await node("process.stdout.write('日'.repeat(100_000))")
    expect(stdout).toBe('日'.repeat(100_000))
  })

  it('ends a program at its time limit', async () => {
    expect(await node('setInterval(() => {}, 1000)', { timeout: 100 })).toMatchObject({ code: 1, timedOut: true })
  })

  it('gives the program no input and no colours', async () => {
    const code = "process.stdin.on('end', () => console.log(process.env.NO_COLOR, process.env.FORCE_COLOR)).resume()"
    expect(await node(code)).toMatchObject({ code: 0, stdout: '1 undefined\n' })
  })

  it('rejects for a program that does not exist', async () => {
    await expect(run('no-such-program', [])).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('tool', () => {
  it('finds the script of a command', () => {
    expect(existsSync(tool('typescript', 'tsc'))).toBe(true)
    expect(() => tool('typescript', 'nothing')).toThrow('expected typescript to have a command nothing')
  })
})

describe('inParallel', () => {
  it('keeps the order of the items', async () => {
    const later = (value: number) => new Promise<number>(resolve => setImmediate(() => resolve(value * 2)))
    expect(await inParallel([1, 2, 3, 4, 5], value => (value % 2 ? later(value) : Promise.resolve(value)))).toEqual([
      2, 2, 6, 4, 10,
    ])
  })

  it('rejects with the first failure', async () => {
    await expect(inParallel([1], () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  })
})
