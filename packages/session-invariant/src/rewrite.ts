import type { SessionEvent } from '@dsh/session'

/**
 * Whether the event enters the surface by `replace`: it rewrites what the model sees of the past, and stands for no
 * execution at its own position.
 */
export function isRewrite(event: SessionEvent): boolean {
  return 'surfaceOp' in event && event.surfaceOp !== undefined && event.surfaceOp !== 'append'
}
