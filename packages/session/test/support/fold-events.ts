import type { FoldDefinition, SessionEvent } from '@dsh/session'

/** A fold over a list, by the plainest means: all events, from the start, filtered as the definition asks. */
export function foldEvents<State>(definition: FoldDefinition<State>, events: readonly SessionEvent[]): State {
  const { types } = definition
  return events
    .filter(event => types === undefined || types.includes(event.type))
    .reduce((state, event) => definition.apply(state, event), definition.initial())
}

/** Type and payload of an event, and what its envelope has beside the usual. */
export type Entry = readonly [type: string, data: unknown, envelope?: object]

/** Events in a row, at times 100, 101, …; those of surface types are appended to the surface. */
export function eventList(...entries: readonly Entry[]): SessionEvent[] {
  const surface = /^(user\/message|assistant\/message|tool\/result|steering\/message)$/
  return entries.map(([type, data, envelope], seq) => ({
    type,
    seq,
    time: 100 + seq,
    ...(surface.test(type) && { surfaceOp: 'append' }),
    ...envelope,
    data,
  })) as unknown as SessionEvent[]
}
