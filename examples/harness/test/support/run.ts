import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A file of the example's sources. */
export function source(name: string): string {
  return fileURLToPath(new URL(`../../src/${name}`, import.meta.url))
}

/** Runs a file with Node, and returns what it printed: all of it, and what of it went to standard error. */
export async function run(
  file: string,
  {
    args = [],
    cwd,
    env = {},
    input = '',
  }: {
    readonly args?: readonly string[]
    readonly cwd: string
    readonly env?: Readonly<Record<string, string>>
    readonly input?: string
  },
): Promise<{ readonly code: number | null; readonly output: string; readonly errors: string }> {
  const child = spawn(process.execPath, [file, ...args], { cwd, env: { ...process.env, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text))
  let errors = ''
  child.stderr.on('data', text => (errors += text))
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  return { code, output, errors }
}
