import { pluginConfig } from '@dsh/session/config'
import type { InvariantRule } from '@dsh/session-invariant'
import type { Context } from 'cordis'
import { hookEnclosure } from './rules/hook-enclosure.js'
import { hookPairing } from './rules/hook-pairing.js'
import { hookPayload } from './rules/hook-payload.js'
import { turnRejected } from './rules/turn-rejected.js'

/** The rules of this package's events. */
export const hookRules: readonly InvariantRule[] = [hookPayload, hookEnclosure, hookPairing, turnRejected]

/** Registers the rules of this package's events with the invariant plugin: `ctx.plugin(hookInvariant)`. */
const hookInvariant = {
  name: 'hook-invariant',
  inject: ['invariants'],
  Config: pluginConfig<object>('@dsh/hook-protocol/invariant', {}),
  apply(ctx: Context): void {
    for (const rule of hookRules) ctx.invariants.register(rule.name, rule)
  },
}

export default hookInvariant
