import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/** The built command. */
export const bin = join(import.meta.dirname, '..', '..', 'dist', 'bin.js')

/** A process that is told what to do and says what it did. */
export interface Child {
  readonly process: ChildProcessWithoutNullStreams
  /** Everything on its standard output so far. */
  readonly output: string
  /** The next line that it prints. */
  nextLine(): Promise<string>
  /** How it ended. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }>
}

export interface ChildOptions {
  readonly env?: Record<string, string>
  readonly cwd?: string
  readonly node?: string
}

/** Starts a script under Node; it is stopped when the test ends. */
export function start(words: readonly string[], { env = {}, cwd, node = process.execPath }: ChildOptions = {}): Child {
  const child = spawn(node, words, { cwd, env: { ...process.env, ...env } })
  const state = { stdout: '', stderr: '' }
  const lines: string[] = []
  const waiting: ((line: string) => void)[] = []
  createInterface({ input: child.stdout }).on('line', line => {
    const waiter = waiting.shift()
    if (waiter) waiter(line)
    else lines.push(line)
  })
  child.stdout.on('data', chunk => {
    state.stdout += chunk
  })
  child.stderr.on('data', chunk => {
    state.stderr += chunk
  })
  // Writing to one that has ended is no failure of a test.
  child.stdin.on('error', () => {})
  const ended = new Promise<Awaited<Child['ended']>>(resolve => {
    child.on('close', (code, signal) => resolve({ code, signal, ...state }))
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return {
    process: child,
    get output() {
      return state.stdout
    },
    nextLine: async () => lines.shift() ?? new Promise(resolve => waiting.push(resolve)),
    ended,
  }
}

/** Runs the built command to its end. */
export function command(
  words: readonly string[],
  options: ChildOptions & { readonly stdin?: string } = {},
): Child['ended'] {
  const child = start([bin, ...words], options)
  child.process.stdin.end(options.stdin ?? '')
  return child.ended
}
