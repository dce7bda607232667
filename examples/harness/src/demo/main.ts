/** `demo`: a conversation that is killed, resumed, summarised and forked, each time in a process of its own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newSessionId, sessionsDirectory } from '../settings.ts'
import { count } from '../terminal/describe.ts'
import { Screen } from '../terminal/screen.ts'
import type { Acknowledged, Report, Stage } from './scene.ts'

const chapters = 6
const screen = new Screen(process.stdout)
const directory = process.cwd()
const stage: Stage = {
  directory,
  sessions: sessionsDirectory(process.env, directory),
  id: newSessionId('demo'),
  tokenDelayMs: Number(process.env.DSH_DEMO_TOKEN_MS ?? 3),
}
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
async function runAndKill(): Promise<Acknowledged> {
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
  screen.line(
    'A small agent harness on a session log. The model is a planner that needs no network; the tools are real.',
  )
  chapter(1, 'A conversation of several turns')
  const acknowledged = await runAndKill()
  chapter(3, 'Another process resumes the session')
  await run('recover', { ...stage, acknowledged })
  chapter(4, 'The history outgrows the context and is summarised')
  await run('outgrow', stage)
  chapter(5, 'A fork at an earlier turn, and both go on')
  await run('branch', stage)
  chapter(6, 'Look at it yourself')
  const log = relative(directory, logs.get(stage.id)!)
  screen.line('The log, one line for each event or run of stream deltas:')
  screen.line(`  ${log}`)
  command(`cut -c 1-140 ${log} | head -20`)
  command(`grep -c '"type":"tool/call"' ${log}`)
  command(`grep '"type":"turn/end"' ${log}`)
  screen.line('Its outline, and what the model sees, through the command of this project:')
  const root = relative(directory, stage.sessions)
  for (const name of ['show', 'messages']) command(`${pnpm} exec node ${cli} ${name} ${stage.id} --root ${root}`)
  screen.line('The session itself:')
  command(`${pnpm} chat --resume ${stage.id}`)
}

const pnpm = 'npx -y pnpm@12'
const cli = relative(directory, fileURLToPath(new URL('../../../../packages/cli/dist/bin.js', import.meta.url)))

function command(line: string): void {
  screen.line(`  ${screen.style('green', `$ ${line}`)}`)
}

try {
  await main()
} catch (error) {
  screen.line(`✗ ${(error as Error).message}`)
  process.exitCode = 1
}
