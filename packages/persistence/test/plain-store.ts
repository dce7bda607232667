import { SESSION_FORMAT_VERSION, Session, type SessionHeader } from '@dsh/session'
import { attachHost } from '@dsh/session/host'
import type { LiveSessions } from '../src/engine.js'
import type { Runtime } from '../src/runtime.js'

/** A store of live sessions without Cordis: what `ctx.sessions` does for a runtime, and nothing more. */
export class PlainStore implements LiveSessions {
  runtime: Runtime | undefined
  readonly #sessions = new Map<string, Session>()

  create(id: string, createdAt: number): Session {
    const header: SessionHeader = { version: SESSION_FORMAT_VERSION, id: id as never, createdAt }
    const session = new Session(id, [], header)
    const detach = this.enter(session)
    try {
      this.announce(session)
    } catch (error) {
      detach()
      throw error
    }
    return session
  }

  get(id: string): Session | undefined {
    return this.#sessions.get(id)
  }

  list(): Session[] {
    return [...this.#sessions.values()]
  }

  enter(session: Session): () => void {
    const detach = attachHost(session, { admit: () => () => this.runtime?.touched(session) })
    this.#sessions.set(session.id, session)
    return () => {
      if (this.#sessions.get(session.id) !== session) return
      this.#sessions.delete(session.id)
      detach()
      this.runtime?.disposed(session)
    }
  }

  announce(session: Session): void {
    this.runtime?.created(session)
  }

  async flush(session: Session): Promise<void> {
    await this.runtime?.flush(session)
  }

  /** Takes a session out without a flush. */
  drop(session: Session): void {
    this.#sessions.delete(session.id)
    this.runtime?.disposed(session)
  }
}
