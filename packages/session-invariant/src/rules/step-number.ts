import type { InvariantRule } from '../rule.js'
import { violation } from '../violation.js'

/** Steps count from 1 in each turn. State: the number of the last step. */
export const stepNumber: InvariantRule<number> = {
  name: 'step-number',
  code: 'STEP_NUMBER',
  description: 'Steps are numbered from 1 without gaps in each turn.',
  types: ['turn/start', 'step/start'],
  initial: () => 0,
  apply(last, event) {
    if (event.type === 'turn/start') return 0
    if (event.type !== 'step/start') return last
    const { step } = event.data
    if (step === last + 1) return step
    return violation(`step ${last + 1}`, `step ${step}`, Number.isSafeInteger(step) ? step : last, 'data.step')
  },
}
