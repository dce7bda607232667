import type { SessionId } from '@dsh/session'

// Declared here because neither the DOM nor the Node typings are loaded: the store runs wherever Cordis does.
declare const crypto: { randomUUID(): string }

/**
 * Mints an id that `taken` does not know. Its 122 random bits keep it apart from stored ids too; a backend that finds one
 * stored all the same refuses the session from its `session/created` listener.
 */
export function mintSessionId(taken: (id: string) => boolean): SessionId {
  let id = crypto.randomUUID()
  while (taken(id)) id = crypto.randomUUID()
  return id as string as SessionId
}
