import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { root } from './workspace.ts'

/** The script behind the command `name` of a root development dependency, to be run with `process.execPath`. */
export function tool(packageName: string, name = packageName): string {
  const folder = join(root, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: Record<string, string> }
  const script = bin[name]
  if (script === undefined) throw new Error(`expected ${packageName} to have a command ${name}`)
  return join(folder, script)
}

/** What a child process came to. */
export interface Outcome {
  /** Exit code; 1 when a signal ended the process. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** Both streams, as they came. */
  readonly output: string
  readonly timedOut: boolean
}

/** Runs a program to its end. Never rejects because of what the program did; `timeout` is in milliseconds. */
export function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly timeout?: number } = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [stdout, stderr, output, timedOut] = ['', '', '', false]
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      output += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
      output += text
    })
    const timer =
      options.timeout === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true
            child.kill('SIGKILL')
          }, options.timeout)
    child.on('error', reject)
    child.on('close', code => {
      clearTimeout(timer)
      resolve({ code: code ?? 1, stdout, stderr, output, timedOut })
    })
  })
}

/** Maps `items` with as many calls at a time as there are processors; the order of the results is that of the items. */
export async function inParallel<T, R>(items: readonly T[], map: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length)
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await map(item)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return results
}
