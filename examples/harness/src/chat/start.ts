import { basename, resolve } from 'node:path'
import type { Context } from 'cordis'
import type { AgentConfig } from '../agent/agent.ts'
import { startApp, startAppFrom } from '../app.ts'
import { backendName } from '../backends.ts'
import { invariantMode, sessionsDirectory } from '../settings.ts'
import type { Stack } from '../stack/stack.ts'
import { watchFile } from '../stack/watch-file.ts'
import type { Chat } from './chat.ts'

/** What the command line says of the plugins. */
export interface Choice {
  readonly backend?: string | undefined
  /** A file of Cordis' loader. */
  readonly config?: string | undefined
}

/** Starts the application as the command line and the environment say. */
export async function start(
  { backend, config }: Choice,
  agent: AgentConfig,
): Promise<{ readonly app: Context; readonly stack?: Stack }> {
  if (config !== undefined) {
    if (backend !== undefined) throw new Error('--backend: the file that --config names says which, so leave it out')
    return startAppFrom(resolve(config), agent)
  }
  const { env } = process
  const app = await startApp({
    ...agent,
    sessions: sessionsDirectory(env, agent.directory),
    backend: backendName(backend ?? 'jsonl'),
    invariants: invariantMode(env),
  })
  return { app }
}

/** Mounts what the file names whenever it changes, and says what that has changed. */
export function follow(stack: Stack, chat: Chat): void {
  const reload = async () => {
    try {
      const { gone, come } = await stack.reload()
      const changes = [...gone.map(name => `- ${name}`), ...come.map(name => `+ ${name}`)]
      if (changes.length > 0) chat.tell(`${basename(stack.file)}: ${changes.join(', ')}`)
    } catch (error) {
      chat.complain(error)
    }
  }
  chat.app.effect(() => watchFile(stack.file, () => void reload()))
}
