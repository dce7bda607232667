import type { Context } from 'cordis'
import { startApp } from '../app.ts'
import type { BackendName } from '../backends.ts'
import { OfflineProvider } from '../model/offline/provider.ts'
import { invariantMode } from '../settings.ts'
import { describeError } from '../terminal/describe.ts'
import { Printer } from '../terminal/printer.ts'
import { Screen } from '../terminal/screen.ts'
import { tools as allTools } from '../tools/index.ts'
import type { Tool } from '../tools/tool.ts'

/** What the parent tells each process of the demo. */
export interface Stage {
  /** The directory that the agent works on. */
  readonly directory: string
  /** Where the sessions are. */
  readonly sessions: string
  /** How they are stored there. */
  readonly backend: BackendName
  /** The session of the demo. */
  readonly id: string
  /** How much of the log was acknowledged as durable before the kill; see {@link Acknowledged}. */
  readonly acknowledged?: Acknowledged
  /** Milliseconds between two tokens. */
  readonly tokenDelayMs: number
}

/** What a process was told to be durable: so many events, with this digest of all of them. */
export interface Acknowledged {
  readonly events: number
  readonly digest: string
}

/** What a process of the demo tells its parent. */
export type Report =
  /** A tool has begun to run. */
  | { readonly kind: 'running'; readonly tool: string; readonly acknowledged: Acknowledged }
  /** Where the log of a session is. */
  | { readonly kind: 'log'; readonly id: string; readonly path: string }

/** The process of one scene: the application, and a screen that shows what happens. */
export interface SceneApp {
  readonly app: Context
  readonly screen: Screen
}

/** Starts the application of a scene. */
export async function startScene(
  { directory, sessions, backend, tokenDelayMs }: Stage,
  { tools = allTools, contextFill = 0.8 }: { readonly tools?: readonly Tool[]; readonly contextFill?: number } = {},
): Promise<SceneApp> {
  const screen = new Screen(process.stdout)
  const app = await startApp({
    provider: new OfflineProvider({ tokenDelayMs }),
    directory,
    sessions,
    backend,
    invariants: invariantMode(process.env),
    tools,
    limits: { contextFill },
  })
  const printer = new Printer(screen, true)
  app.on('session/event', (session, event) => printer.print(session, event))
  app.on('agent/error', (_, error) => screen.line(`✗ ${describeError(error)}`))
  app.on('persistence/error', error => screen.line(`✗ ${describeError(error)}`))
  return { app, screen }
}

/** Tells the parent; without one, nobody. */
export function report(message: Report): void {
  process.send?.(message)
}
