import type { RecoveryReport } from '@dsh/persistence'
import { outline, type Session, SessionError, type SessionEvent } from '@dsh/session'
import type { Context } from 'cordis'
import type { AgentLoop } from './agent/loop.ts'
import { storageOf } from './app.ts'

/** A session with a loop on it, as a plugin of its own: closing it ends the turn, flushes the session and lets it go. */
export interface Conversation {
  readonly session: Session
  readonly loop: AgentLoop
  /** What closed a turn that a crash had left open; empty for a session that was not resumed. */
  readonly closers: readonly SessionEvent[]
  /** What opening the stored log found and did. */
  readonly recovery?: RecoveryReport
  close(): Promise<void>
}

/** How a conversation begins. */
export type Beginning =
  /** Anew, in a directory. */
  | { readonly kind: 'new'; readonly id?: string; readonly cwd: string }
  /** Where a stored session ended. */
  | { readonly kind: 'resume'; readonly id: string }
  /** With the turns of a live session up to and including `turn`. */
  | { readonly kind: 'fork'; readonly source: Session; readonly turn: number; readonly id?: string }

type Opened = Omit<Conversation, 'loop' | 'close'>

/**
 * Opens a conversation.
 * @throws what `create`, `resume` and `fork` throw; INVALID_BOUNDARY for a turn that the source has not ended
 */
export async function openConversation(app: Context, beginning: Beginning): Promise<Conversation> {
  const opened = Promise.withResolvers<Omit<Conversation, 'close'>>()
  const fiber = app.plugin({
    name: 'conversation',
    // Not the backend: a session goes on when another one takes its place.
    inject: ['sessions', 'agent'],
    async apply(ctx: Context) {
      try {
        const begun = await begin(ctx, beginning)
        opened.resolve({ ...begun, loop: ctx.agent.attach(begun.session) })
      } catch (error) {
        opened.reject(error)
      }
    },
  })
  try {
    return { ...(await opened.promise), close: () => fiber.dispose() }
  } catch (error) {
    await fiber.dispose()
    throw error
  }
}

async function begin(ctx: Context, beginning: Beginning): Promise<Opened> {
  switch (beginning.kind) {
    case 'new':
      return { session: ctx.sessions.create(beginning.id, { meta: { cwd: beginning.cwd } }), closers: [] }
    case 'resume':
      return storageOf(ctx).resume(beginning.id)
    case 'fork': {
      const { source, turn, id } = beginning
      return { session: ctx.sessions.fork(source, endOfTurn(source, turn), id), closers: [] }
    }
  }
}

/** The seq of the event that ended a turn: where a fork may begin. @throws INVALID_BOUNDARY */
function endOfTurn(session: Session, number: number): number {
  const { turns } = session.fold(outline)
  const endSeq = turns.find(({ turn }) => turn === number)?.endSeq
  if (endSeq !== undefined) return endSeq
  const ended = turns.filter(turn => turn.endSeq !== undefined).map(({ turn }) => turn)
  throw new SessionError('INVALID_BOUNDARY', {
    expected:
      ended.length === 0 ? 'a turn that has ended' : `a turn from ${ended[0]} to ${ended.at(-1)} that has ended`,
    found: `turn ${number}`,
    session: session.id,
  })
}
