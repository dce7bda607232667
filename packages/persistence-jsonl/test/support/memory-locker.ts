import type { Locker } from '@dsh/persistence/lock'
import { SessionError } from '@dsh/session'

/** Locks that hold within one test. */
export function memoryLocker(): Locker {
  const held = new Set<string>()
  return {
    async acquire(path, session) {
      if (held.has(path))
        throw new SessionError('SESSION_LOCKED', { expected: 'a free session', found: 'a writer', session })
      held.add(path)
      return {
        claim: async () => {},
        isHeld: async () => true,
        release: async () => void held.delete(path),
      }
    },
  }
}
