import type { Session, SessionEvent } from '@dsh/session'
import { SessionStore } from '@dsh/session-store'
import { Context } from 'cordis'
import { SessionInvariant, type SessionInvariantConfig } from '../../src/index.js'
import type { Draft } from './draft.js'

/** One emission of `session/violation`. */
export interface Told {
  readonly session: string
  readonly rule: string
  readonly code: string
  readonly seq: number
  readonly message: string
}

/** An application with a store, and what listeners of `session/violation` are told in it. */
export async function storeApp(): Promise<{ app: Context; told: Told[] }> {
  const app = new Context()
  await app.plugin(SessionStore)
  return { app, told: collectViolations(app) }
}

/** {@link storeApp} with the invariant plugin. */
export async function invariantApp(config?: SessionInvariantConfig): Promise<{ app: Context; told: Told[] }> {
  const { app, told } = await storeApp()
  await app.plugin(SessionInvariant, config)
  return { app, told }
}

/** What listeners in `ctx` are told from here on. */
export function collectViolations(ctx: Context): Told[] {
  const told: Told[] = []
  ctx.on('session/violation', (session, violation) => void told.push({ session: session.id, ...violation }))
  return told
}

/** Appends a draft of a test. */
export function append(session: Session, { type, data, ...intent }: Draft): SessionEvent {
  const args = 'surfaceOp' in intent ? [type, data, intent] : [type, data]
  return Reflect.apply(session.append, session, args)
}

/** The error that `run` throws. */
export function caught(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}
