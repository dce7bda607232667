import { PassThrough, Writable } from 'node:stream'
import { main } from '../../src/main.js'
import type { Io } from '../../src/terminal/io.js'
import { START } from './log-builder.js'

/** What a command is run with. */
export interface RunOptions {
  readonly root?: string
  readonly cwd?: string
  /** Columns of a terminal; where absent, output is no terminal. */
  readonly columns?: number
  readonly env?: Record<string, string>
  readonly stdin?: string
  readonly signal?: AbortSignal
  readonly platform?: NodeJS.Platform
  /** Called with all of the output so far whenever more comes. */
  readonly onOutput?: (stdout: string) => void
}

/** What came of a command. */
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A stream that keeps what is written to it. */
export class Sink extends Writable {
  text = ''
  readonly isTTY: boolean
  readonly columns: number | undefined
  readonly #onText: ((text: string) => void) | undefined

  constructor(columns?: number, onText?: (text: string) => void) {
    super({ decodeStrings: false })
    this.isTTY = columns !== undefined
    this.columns = columns
    this.#onText = onText
  }

  override _write(chunk: string, _encoding: string, done: () => void): void {
    this.text += chunk
    this.#onText?.(this.text)
    done()
  }
}

/** Runs a command line in this process. A string is split at its spaces. */
export async function run(command: string | readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const words = typeof command === 'string' ? command.split(' ').filter(word => word !== '') : command
  const { io, stdout, stderr } = createIo(options)
  const code = await main(words, io)
  return { code, stdout: stdout.text, stderr: stderr.text }
}

export function createIo(options: RunOptions = {}) {
  const { root, columns, cwd = '/', env = {}, signal = new AbortController().signal } = options
  const stdout = new Sink(columns, options.onOutput)
  const stderr = new Sink(columns)
  const stdin = Object.assign(new PassThrough(), { isTTY: columns !== undefined })
  stdin.end(options.stdin ?? '')
  const io: Io = {
    stdin,
    stdout: stdout as Io['stdout'],
    stderr: stderr as Io['stderr'],
    env: { ...(root !== undefined && { DSH_SESSION_ROOT: root }), ...env },
    cwd,
    home: '/home/sam',
    platform: options.platform ?? 'linux',
    now: () => START + 86_400_000,
    signal,
  }
  return { io, stdout, stderr }
}

/** The lines of JSON in an output. */
export function jsonLines(stdout: string): Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}
