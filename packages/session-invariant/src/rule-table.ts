import type { SessionEvent } from '@dsh/session'
import { isDelta } from '@dsh/session/host'
import type { InvariantRule } from './rule.js'

/** A set of rules, indexed by what they apply to. A rule's slot is its position in {@link RuleTable.rules}. */
export class RuleTable {
  readonly rules: readonly InvariantRule[]
  /** The slots of the rules that look at every type. */
  readonly #untyped: readonly number[]
  readonly #byType = new Map<string, readonly number[]>()
  readonly #deltas: readonly number[]

  constructor(rules: readonly InvariantRule[]) {
    this.rules = rules
    const slots = (accept: (rule: InvariantRule) => boolean) =>
      rules.flatMap((rule, slot) => (accept(rule) ? [slot] : []))
    this.#untyped = slots(rule => rule.types === undefined)
    for (const type of new Set(rules.flatMap(rule => rule.types ?? []))) {
      this.#byType.set(
        type,
        slots(rule => appliesTo(rule, type)),
      )
    }
    this.#deltas = slots(rule => rule.deltas !== false && appliesTo(rule, 'assistant/chunk'))
  }

  /** The slots of the rules that apply to `event`, in order. */
  slotsFor(event: SessionEvent): readonly number[] {
    return isDelta(event) ? this.#deltas : (this.#byType.get(event.type) ?? this.#untyped)
  }
}

function appliesTo(rule: InvariantRule, type: string): boolean {
  return rule.types === undefined || rule.types.includes(type)
}
