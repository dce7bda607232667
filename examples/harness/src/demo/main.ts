/** `demo`: a conversation that is killed, resumed, summarised and forked, each time in a process of its own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { backendName } from '../backends.ts'
import { newSessionId, sessionsDirectory } from '../settings.ts'
import { count, describeError } from '../terminal/describe.ts'
import { Screen } from '../terminal/screen.ts'
import { look } from './look.ts'
import type { Acknowledged, Report, Stage } from './scene.ts'

const usage = `Usage: demo [--backend jsonl|sqlite]

Shows a conversation that is killed, resumed, summarised and forked, in the current directory.`

const chapters = 6
const screen = new Screen(process.stdout)
const logs = new Map<string, string>()

function chapter(number: number, title: string): void {
  screen.line()
  screen.line(screen.style(['bold', 'cyan'], `[${number}/${chapters}] ${title}`))
}

function start(scene: string, on: Stage): ChildProcess {
  const child = fork(new URL('process.ts', import.meta.url), [scene, JSON.stringify(on)])
  child.on('message', (message: Report) => {
    if (message.kind === 'log') logs.set(message.id, message.path)
  })
  return child
}

async function run(scene: string, on: Stage): Promise<void> {
  const [code] = await once(start(scene, on), 'exit')
  if (code !== 0) throw new Error(`The scene "${scene}" ended with exit code ${code}.`)
}

/** Runs the first scene until its command runs, and kills the process there. */
async function runAndKill(stage: Stage): Promise<Acknowledged> {
  const child = start('talk', stage)
  const exit = once(child, 'exit')
  const { promise: running, resolve } = Promise.withResolvers<Acknowledged>()
  child.on('message', (message: Report) => {
    if (message.kind === 'running' && message.tool === 'run_command') resolve(message.acknowledged)
  })
  const acknowledged = await Promise.race([running, exit.then(() => undefined)])
  if (acknowledged === undefined) throw new Error('The first process ended before it could be killed.')
  child.kill('SIGKILL')
  const [, signal] = await exit
  screen.clear()
  chapter(2, 'The process is killed in the middle of a tool call')
  screen.line(`While the command ran, the process ended with ${signal}: no handler, no last write.`)
  screen.line(`Acknowledged as durable before that: ${count(acknowledged.events)} events.`)
  return acknowledged
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      backend: { type: 'string', short: 'b', default: 'jsonl' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return screen.line(usage)
  const directory = process.cwd()
  const stage: Stage = {
    directory,
    sessions: sessionsDirectory(process.env, directory),
    backend: backendName(values.backend),
    id: newSessionId('demo'),
    tokenDelayMs: Number(process.env.DSH_DEMO_TOKEN_MS ?? 3),
  }
  screen.line(
    'A small agent harness on a session log. The model is a planner that needs no network; the tools are real.',
  )
  chapter(1, 'A conversation of several turns')
  const acknowledged = await runAndKill(stage)
  chapter(3, 'Another process resumes the session')
  await run('recover', { ...stage, acknowledged })
  chapter(4, 'The history outgrows the context and is summarised')
  await run('outgrow', stage)
  chapter(5, 'A fork at an earlier turn, and both go on')
  await run('branch', stage)
  chapter(6, 'Look at it yourself')
  look(screen, stage, logs.get(stage.id)!)
}

try {
  await main()
} catch (error) {
  screen.line(`✗ ${describeError(error)}`)
  process.exitCode = 1
}
