import type { SessionEvent } from '@dsh/session'

/** The open turn and step; 0 stands for none. */
export interface Position {
  readonly turn: number
  readonly step: number
}

/** Between turns. */
export const outside: Position = Object.freeze({ turn: 0, step: 0 })

/** The event types that move a {@link Position}. */
export const boundaryTypes = ['turn/start', 'turn/end', 'step/start', 'step/end'] as const

/** The position after `event`, whether or not the event fits the one before. */
export function move(position: Position, event: SessionEvent): Position {
  switch (event.type) {
    case 'turn/start':
      return { turn: event.data.turn, step: 0 }
    case 'turn/end':
      return outside
    case 'step/start':
      return { turn: event.data.turn, step: event.data.step }
    case 'step/end':
      return { turn: position.turn, step: 0 }
    default:
      return position
  }
}

/** Whether `turn`, and `step` where given, is what is open. */
export function isOpen(position: Position, turn: number, step?: number): boolean {
  if (position.turn === 0 || position.turn !== turn) return false
  return step === undefined || (position.step !== 0 && position.step === step)
}

/** Names a position in a message. */
export function describePosition({ turn, step }: Position): string {
  if (turn === 0) return 'no open turn'
  return step === 0 ? `turn ${turn} between its steps` : `turn ${turn}, step ${step}`
}
