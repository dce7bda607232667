import type { InvariantRule } from '../rule.js'
import { violation } from '../violation.js'

/** Sequence numbers strictly increase. State: the last one. */
export const seq: InvariantRule<number> = {
  name: 'seq',
  code: 'SEQ_ORDER',
  description: 'Sequence numbers strictly increase.',
  initial: () => -1,
  apply: (last, event) =>
    event.seq > last ? event.seq : violation(`a sequence number above ${last}`, `${event.seq}`, last, 'seq'),
}
