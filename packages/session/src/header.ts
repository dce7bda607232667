import type { Brand } from '@dsh/llm'

/** Identity of one session: any non-empty string. */
export type SessionId = Brand<'SessionId'>

/** The version of the stored format that this release writes. */
export const SESSION_FORMAT_VERSION = 1

/**
 * What is known of a session from its creation on. Written once, kept out of the log: it is a matter of storage and
 * lineage, not of the conversation.
 */
export interface SessionHeader {
  /** Format version; {@link SESSION_FORMAT_VERSION} for new sessions. */
  readonly version: number
  readonly id: SessionId
  /** Unix epoch milliseconds. With `id` it names one incarnation of a session. */
  readonly createdAt: number
  /** Absolute working directory, POSIX or Windows. */
  readonly cwd?: string
  /** The session that this one was forked or delegated from. */
  readonly parentSession?: SessionId
  /** How many leading events were inherited through a fork. */
  readonly seedLength?: number
  /** How many delegations lie above this session; absent or 0 at the top. */
  readonly delegationDepth?: number
}
