import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { countArgument, textArgument } from './arguments.ts'
import { OutputTail } from './bounds.ts'
import { type Tool, ToolError } from './tool.ts'

/** Milliseconds that a process which has detached itself from its command may hold the output open. */
const LINGER_MS = 500

/** Runs a shell command. */
export const runCommand: Tool = {
  schema: {
    name: 'run_command',
    description:
      'Runs a shell command in the working directory and answers with its exit code and output. Nothing that it starts outlives it.',
    parameters: {
      type: 'object',
      properties: {
        command: { type: 'string', description: 'The command line.' },
        timeout_ms: {
          type: 'integer',
          description: 'Milliseconds it may take. Default: 30000',
          minimum: 1,
          maximum: 120000,
        },
      },
      required: ['command'],
      additionalProperties: false,
    },
  },
  hasEffects: true,
  async run(args, { workspace, signal }) {
    const command = textArgument(args, 'command')
    const timeout = countArgument(args, 'timeout_ms', { least: 1, most: 120_000, fallback: 30_000 })
    signal.throwIfAborted()
    const output = new OutputTail()
    // A process group of its own, so that a kill reaches what the shell has started.
    const child = spawn(command, {
      cwd: workspace.root,
      shell: true,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: withoutSecrets(process.env),
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', text => output.push(text))
    }
    const limit = AbortSignal.timeout(timeout)
    const stop = () => killGroup(child)
    for (const stopper of [signal, limit]) stopper.addEventListener('abort', stop, { once: true })
    try {
      const [code, killedBy] = await exitOf(child)
      signal.throwIfAborted()
      if (limit.aborted) throw new ToolError('COMMAND_TIMEOUT', `Stopped after ${timeout} ms.\n${output}`)
      return { text: `exit code ${code ?? killedBy}\n${output}`.trimEnd(), meta: { exitCode: code } }
    } finally {
      for (const stopper of [signal, limit]) stopper.removeEventListener('abort', stop)
    }
  },
}

/** Resolves when the process has ended and its output has been read. */
async function exitOf(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  const closed = once(child, 'close')
  // A shell that does not start is told by the line below; this promise would say it again.
  closed.catch(() => {})
  const exit = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  killGroup(child)
  const lingering = setTimeout(() => {
    child.stdout?.destroy()
    child.stderr?.destroy()
  }, LINGER_MS)
  await closed
  clearTimeout(lingering)
  return exit
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Nobody is left in the group.
  }
}

function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/key|token|secret|password/i.test(name)))
}
