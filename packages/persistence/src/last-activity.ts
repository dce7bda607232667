import type { SessionHeader } from '@dsh/session'

/**
 * When a session was last active: at its last stored event, but never before it was created. The events that a fork
 * inherits are older than the fork, and a clock can step back.
 * @param lastTime time of the last stored event, where there is one; like the result in Unix epoch milliseconds
 */
export function lastActivity({ createdAt }: Pick<SessionHeader, 'createdAt'>, lastTime: number | undefined): number {
  return lastTime === undefined ? createdAt : Math.max(lastTime, createdAt)
}
