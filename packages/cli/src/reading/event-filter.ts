import type { SessionEvent } from '@dsh/session'

/** Which events a person wants to see. */
export interface EventChoice {
  /** Types, in which `*` stands for anything; empty for all. */
  readonly type: readonly string[]
  readonly skipChunks: boolean
}

/** Whether an event is one that was asked for. */
export function eventFilter({ type, skipChunks }: EventChoice): (event: SessionEvent) => boolean {
  const patterns = type.map(toPattern)
  return event =>
    !(skipChunks && event.type === 'assistant/chunk') &&
    (patterns.length === 0 || patterns.some(pattern => pattern.test(event.type)))
}

function toPattern(type: string): RegExp {
  const parts = type.split('*').map(part => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 'su')
}
