import { describe, expect, it } from 'vitest'
import { failureFacts, turnError } from '../../src/recorder/turn-error.js'

const failure = { message: 'overloaded', code: 'E529' }

describe('turnError', () => {
  it('keeps the facts of a failed model request', () => {
    const facts = { ...failure, status: 529, providerRetryAfterMs: 1500.5, requestId: 'r1' }
    expect(turnError(2, facts)).toEqual({ step: 2, failure: facts })
  })

  it('keeps message and code of an error', () => {
    expect(turnError(1, new Error('boom'))).toEqual({ step: 1, message: 'boom' })
    expect(turnError(1, Object.assign(new Error('boom'), { code: 'EIO' }))).toEqual({
      step: 1,
      message: 'boom',
      code: 'EIO',
    })
    expect(turnError(1, Object.assign(new Error('boom'), { code: 5 }))).toEqual({ step: 1, message: 'boom' })
    expect(turnError(1, Object.assign(new Error('boom'), { code: '' }))).toEqual({ step: 1, message: 'boom' })
  })

  it('names an error that has no message', () => {
    expect(turnError(1, new RangeError())).toEqual({ step: 1, message: 'RangeError' })
  })

  it.each([
    ['text', 'text'],
    [undefined, 'undefined'],
    [null, 'null'],
    [Symbol('s'), 'Symbol(s)'],
    [7n, '7'],
    [Object.create(null), 'a value without a text'],
    [{ message: 'no code' }, '[object Object]'],
    [{ message: 7, code: 'x' }, '[object Object]'],
  ])('describes %o, which is no error', (thrown, message) => {
    expect(turnError(3, thrown)).toEqual({ step: 3, message })
  })
})

describe('failureFacts', () => {
  it('leaves out what the log could not hold', () => {
    for (const junk of [{ status: 'x' }, { status: -1 }, { status: -0 }, { status: 1.5 }, { cause: () => 0 }]) {
      expect(failureFacts({ ...failure, ...(junk as object) })).toEqual(failure)
    }
    expect(failureFacts({ ...failure, providerRetryAfterMs: Number.NaN, requestId: '' })).toEqual(failure)
    expect(failureFacts({ ...failure, providerRetryAfterMs: -0 })).toEqual({ ...failure, providerRetryAfterMs: 0 })
  })
})
