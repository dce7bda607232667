import { SessionError } from '../error.js'
import type { FoldDefinition } from '../fold.js'
import { openTurn } from '../folds/open-turn.js'
import { payloadNumber } from '../folds/payload.js'
import type { Session } from '../session.js'
import type { TurnTrigger } from '../turn.js'
import { TurnRecorder } from './turn-recorder.js'

/** How a turn begins. */
export interface RecordTurnOptions {
  /** What started it; a person's message where absent. */
  readonly trigger?: TurnTrigger
}

/**
 * Opens the next turn and gives the recorder of it, which takes care of what raw appends leave to the author of a harness:
 * numbering, chunk provenance, headers and contexts recorded only where they changed, the precedence of the turn's end,
 * the answers owed to an aborted turn. Whatever the order of calls, it appends nothing that the invariants would refuse.
 * @throws OPEN_TURN when a turn is open
 */
export function recordTurn(session: Session, options: RecordTurnOptions = {}): TurnRecorder {
  const { trigger = { kind: 'message', source: { kind: 'user' } } } = options
  const open = session.fold(openTurn)
  if (open !== undefined) {
    throw new SessionError('OPEN_TURN', {
      expected: 'no open turn',
      found: `turn ${open.turn}, opened at seq ${open.startSeq}`,
      session: session.id,
    })
  }
  return new TurnRecorder(session, session.append('turn/start', { turn: session.fold(lastTurn) + 1, trigger }))
}

const lastTurn: FoldDefinition<number> = {
  initial: () => 0,
  types: ['turn/start'],
  apply: (last, event) => payloadNumber(event.data, 'turn') ?? last,
}
