import { expect, expectTypeOf, it } from 'vitest'
import type { FinishReason, LlmFailure } from '../src/finish.js'

it('narrows a finish reason by its kind, and only an error has a failure', () => {
  const describe = (reason: FinishReason): string => {
    switch (reason.kind) {
      case 'error':
        return `${reason.failure.code}: ${reason.failure.message}`
      case 'stop':
      case 'tool-calls':
      case 'max-tokens':
      case 'aborted':
        // @ts-expect-error nothing failed
        return `${reason.kind} ${reason.failure}`
    }
  }
  expect(
    describe({ kind: 'error', failure: { code: 'RATE_LIMIT', message: 'slow down', providerRetryAfterMs: 10 } }),
  ).toBe('RATE_LIMIT: slow down')
  expect(describe({ kind: 'stop' })).toBe('stop undefined')
})

it('needs a code and a message in a failure', () => {
  expectTypeOf<{ message: string }>().not.toExtend<LlmFailure>()
  expectTypeOf<{ kind: 'error' }>().not.toExtend<FinishReason>()
  expectTypeOf<{ kind: 'cancelled' }>().not.toExtend<FinishReason>()
})
