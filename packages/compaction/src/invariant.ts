import { pluginConfig } from '@dsh/session/config'
import type { InvariantRule } from '@dsh/session-invariant'
import type { Context } from 'cordis'
import { compactOrder } from './rules/compact-order.js'
import { compactPayload } from './rules/compact-payload.js'

/** The rules of this package's events. */
export const compactionRules: readonly InvariantRule[] = [compactPayload, compactOrder]

/** Registers the rules of this package's events with the invariant plugin: `ctx.plugin(compactionInvariant)`. */
const compactionInvariant = {
  name: 'compaction-invariant',
  inject: ['invariants'],
  Config: pluginConfig<object>('@dsh/compaction/invariant', {}),
  apply(ctx: Context): void {
    for (const rule of compactionRules) ctx.invariants.register(rule.name, rule)
  },
}

export default compactionInvariant
