import type { SessionView } from '@dsh/session'
import { SessionError } from '@dsh/session'

/** A session as it was when its next event had the number `seq`. @throws INVALID_BOUNDARY, naming the session */
export function viewAt(view: SessionView, seq: number): SessionView {
  if (seq <= view.seq) return view.at(seq)
  throw new SessionError('INVALID_BOUNDARY', {
    expected: `a seq from 0 to ${view.seq}`,
    found: String(seq),
    session: view.id,
  })
}
