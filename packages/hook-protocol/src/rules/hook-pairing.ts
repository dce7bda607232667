import { type InvariantRule, violation } from '@dsh/session-invariant'
import type { HookInvoked, HookResult } from '../events.js'

/** How many runs of each handler are under way. */
export type HookRuns = ReadonlyMap<string, number>

const noRuns: HookRuns = new Map()

/**
 * A result belongs to an invocation of the same handler at the same point of its turn. Runs of one handler may overlap, and
 * a turn that was cut short may lack results. State: the runs of the open turn that have no result.
 */
export const hookPairing: InvariantRule<HookRuns> = {
  name: 'hook-pairing',
  code: 'HOOK_UNPAIRED',
  description: 'A hook result answers an invocation of the same handler and point in its turn, each at most once.',
  types: ['turn/start', 'turn/end', 'hook/invoked', 'hook/result'],
  initial: () => noRuns,
  apply(runs, event) {
    switch (event.type) {
      case 'hook/invoked':
        return count(runs, event.data, 1)
      case 'hook/result': {
        if ((runs.get(keyOf(event.data)) ?? 0) > 0) return count(runs, event.data, -1)
        const { handlerId, point } = event.data
        const found = `none of ${JSON.stringify(handlerId)} at ${JSON.stringify(point)}`
        return violation('an invocation without a result before it', found, runs, 'data.handlerId')
      }
      default:
        return noRuns
    }
  },
}

function count(runs: HookRuns, hook: HookInvoked | HookResult, change: number): HookRuns {
  const key = keyOf(hook)
  return new Map(runs).set(key, (runs.get(key) ?? 0) + change)
}

function keyOf({ handlerId, point }: HookInvoked | HookResult): string {
  return JSON.stringify([handlerId, point])
}
