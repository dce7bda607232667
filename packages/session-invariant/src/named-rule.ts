import { SessionError } from '@dsh/session'
import type { InvariantRule } from './rule.js'

/**
 * `rule` under `name`, be it an object or an instance of a class. Its initial state is asked for once here, so that a rule
 * that cannot give any fails where it is registered and not at every session.
 * @throws INVALID_CONFIG for what is no rule; what `initial` throws
 */
export function namedRule<State>(name: string, rule: Omit<InvariantRule<State>, 'name'>): InvariantRule {
  const { code, description, types, deltas } = rule
  if (typeof name !== 'string' || name === '') throw invalid('name', 'a non-empty string')
  if (typeof code !== 'string' || code === '') throw invalid('code', 'a non-empty string')
  if (types !== undefined && !Array.isArray(types)) throw invalid('types', 'a list of event types')
  if (typeof rule.initial !== 'function') throw invalid('initial', 'a function')
  if (typeof rule.apply !== 'function') throw invalid('apply', 'a function')
  rule.initial()
  return {
    name,
    code,
    description,
    ...(types !== undefined && { types: [...types] }),
    ...(deltas === false && { deltas }),
    initial: () => rule.initial(),
    apply: (state, event) => rule.apply(state as State, event),
    ...(rule.gap !== undefined && { gap: state => rule.gap!(state as State) }),
  }
}

function invalid(path: string, expected: string): SessionError {
  return new SessionError('INVALID_CONFIG', {
    expected: `${expected} as the ${path} of a rule`,
    found: 'another',
    path,
  })
}
