import type { AnySession } from '../core/contestants.ts'

/** What is mounted beside the store: so many listeners, or the invariants and none. `detached` has no store. */
export const setups = ['detached', '0 listeners', '1 listener', '3 listeners', 'invariants'] as const

export type Setup = (typeof setups)[number]

/** Makes sessions of one project in an application of the given setup. */
export type CreateSession = () => AnySession

/** What the benchmark needs of a Cordis context; both projects' have it. */
interface AnyContext {
  readonly sessions: { create(): AnySession }
  plugin(plugin: unknown): PromiseLike<unknown>
  on(name: string, listener: () => void): unknown
}

export async function ours(setup: Setup): Promise<CreateSession> {
  const { Session } = await import('@dsh/session')
  if (setup === 'detached') return () => new Session('bench') as unknown as AnySession
  const { Context } = await import('cordis')
  const { default: SessionStore } = await import('@dsh/session-store')
  const { default: SessionInvariant } = await import('@dsh/session-invariant')
  return mount(new Context() as unknown as AnyContext, SessionStore, [SessionInvariant], setup)
}

export async function peer(setup: Setup): Promise<CreateSession> {
  const { Session, default: SessionStore } = (await import('@deepseek-ai/dsh-session')) as unknown as {
    Session: new (id: string) => AnySession
    default: unknown
  }
  if (setup === 'detached') return () => new Session('bench')
  const { Context } = await import('@deepseek-ai/cordis')
  const { default: InvariantRegistry } = await import('@deepseek-ai/dsh-invariants')
  const checks = await import('@deepseek-ai/dsh-session/invariant')
  return mount(new Context() as unknown as AnyContext, SessionStore, [InvariantRegistry, checks], setup)
}

/** Whether the published peer is installed. */
export async function hasPeer(): Promise<boolean> {
  return import('@deepseek-ai/dsh-session').then(
    () => true,
    () => false,
  )
}

async function mount(ctx: AnyContext, store: unknown, invariants: unknown[], setup: Setup): Promise<CreateSession> {
  await ctx.plugin(store)
  if (setup === 'invariants') for (const plugin of invariants) await ctx.plugin(plugin)
  else for (let index = 0; index < Number.parseInt(setup, 10); index++) await ctx.plugin(listener(index))
  return () => ctx.sessions.create()
}

/** How many events were heard; keeps the listeners from being optimised away. */
export let heard = 0

function listener(index: number) {
  return {
    name: `listener-${index}`,
    apply(ctx: AnyContext) {
      ctx.on('session/event', () => {
        heard++
      })
    },
  }
}
