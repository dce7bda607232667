import { forkSession, type Session } from '@dsh/session'
import { best, type Row } from '../measure.ts'
import { eventsOf, turnsOf } from '../workload/turns.ts'
import { appendAll, type Contestant } from './contestants.ts'

const EVENTS = 100_000

/** A fork of a long log. The floor copies as many pointers; the peer builds a session from the same events. */
export function benchFork(ours: Contestant, peer: Contestant | undefined): Row[] {
  const appends = turnsOf(EVENTS)
  const session = appendAll(ours.create(), appends) as unknown as Session
  const peerEvents = peer && appendAll(peer.create(), appends).events
  const events = session.events
  return [
    {
      name: `fork ${EVENTS.toLocaleString('en')} events`,
      count: 1,
      floor: best(
        () => events,
        list => list.slice(),
        20,
      ),
      ours: best(
        () => session,
        source => forkSession(source, { id: 'child' }),
        20,
      ),
      peer:
        peer &&
        best(
          () => peerEvents,
          seed => peer.create(seed),
          5,
        ),
    },
    {
      name: `fork ${EVENTS.toLocaleString('en')} events and derive its messages`,
      count: 1,
      floor: best(
        () => events,
        list => list.slice(),
        20,
      ),
      ours: best(
        () => session,
        source => forkSession(source, { id: 'child' }).deriveMessages(),
        20,
      ),
      peer:
        peer &&
        best(
          () => peerEvents,
          seed => peer.create(seed).deriveMessages(),
          5,
        ),
    },
    {
      name: `seed of ${EVENTS.toLocaleString('en')} plain events`,
      count: 1,
      floor: best(
        () => JSON.stringify(eventsOf(appends)),
        text => JSON.parse(text),
        3,
      ),
      ours: best(
        () => eventsOf(appends),
        seed => ours.create(seed),
        3,
      ),
      peer:
        peer &&
        best(
          () => eventsOf(appends),
          seed => peer.create(seed),
          3,
        ),
    },
  ]
}
