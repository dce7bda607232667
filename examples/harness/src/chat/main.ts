/** `chat`: a person at a terminal, or a script on standard input, talks with the agent. */
import { realpathSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { chooseProvider } from '../model/choose-provider.ts'
import { describeError } from '../terminal/describe.ts'
import { Screen } from '../terminal/screen.ts'
import { Chat } from './chat.ts'
import { follow, start } from './start.ts'
import { TypeAhead } from './type-ahead.ts'

const usage = `Usage: chat [--resume <id>] [--directory <path>] [--backend jsonl|sqlite | --config <file>]

Talks with an agent that works on a directory, by default the current one. With --config, the plugins that keep its
sessions are those that a file of Cordis' loader names. The README lists the variables that choose a model. In the chat,
/help lists the commands.`

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      resume: { type: 'string', short: 'r' },
      directory: { type: 'string', short: 'd', default: process.cwd() },
      backend: { type: 'string', short: 'b' },
      config: { type: 'string', short: 'c' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(usage)
  const { env, stdin, stdout } = process
  const directory = realpathSync(values.directory)
  const provider = await chooseProvider(env)
  const { app, stack } = await start(values, { provider, directory })

  const isScripted = stdin.isTTY !== true
  const screen = new Screen(stdout)
  const lines = createInterface({
    input: stdin,
    output: isScripted ? undefined : stdout,
    terminal: !isScripted,
    prompt: '› ',
  })
  const typeAhead = isScripted ? undefined : new TypeAhead(lines, screen, () => chat.isBusy)
  const { config } = provider
  const greeting = `${config.provider}/${config.model} works on ${directory}. /help lists the commands.`
  const chat = new Chat({ app, screen, directory, greeting, isScripted, onIdle: () => typeAhead?.prompt() })

  if (stack !== undefined) follow(stack, chat)

  lines.on('line', line => {
    typeAhead?.entered()
    chat.input(line)
  })
  lines.on('SIGINT', () => chat.interrupt())
  lines.on('close', () => chat.input('/quit'))
  if (isScripted) process.on('SIGINT', () => chat.interrupt())
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void chat.quit())

  try {
    await chat.start(values.resume)
    typeAhead?.prompt()
  } catch (error) {
    console.error(describeError(error))
    process.exitCode = 1
    void chat.quit()
  }
  try {
    await chat.left
  } finally {
    lines.close()
  }
}

try {
  await main()
} catch (error) {
  console.error(describeError(error))
  process.exitCode = 1
}
