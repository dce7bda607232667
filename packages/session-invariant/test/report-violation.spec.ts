import { Session } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { reportViolation } from '../src/report-violation.js'
import { collectViolations, storeApp } from './support/app.js'

const violation = { rule: 'r', code: 'R', seq: 3, message: 'expected a, found b', expected: 'a', found: 'b' }

describe('reportViolation', () => {
  it('logs and tells those who hear the store', async () => {
    const { app, told } = await storeApp()
    const elsewhere = collectViolations(app.isolate('sessions'))
    reportViolation(app, new Session('s'), violation)
    expect(told).toEqual([{ session: 's', rule: 'r', code: 'R', seq: 3, message: 'expected a, found b' }])
    expect(elsewhere).toEqual([])
    expect(app.logger.buffer.at(-1)?.args).toEqual(['R in session "s", seq 3: expected a, found b (rule r)'])
  })

  it('logs what a listener throws or rejects with, and goes on', async () => {
    const { app } = await storeApp()
    app.on('session/violation', () => {
      throw new Error('thrown')
    })
    app.on('session/violation', (async () => Promise.reject(new Error('rejected'))) as never)
    const told = collectViolations(app)
    reportViolation(app, new Session('s'), violation)
    await new Promise(resolve => setImmediate(resolve))
    expect(told).toHaveLength(1)
    const causes = app.logger.buffer.flatMap(({ args: [error] }) =>
      error instanceof Error ? String(error.cause ?? '') : [],
    )
    expect(causes).toEqual(expect.arrayContaining(['Error: thrown', 'Error: rejected']))
  })

  it('is not stopped by a validator of dispatches that throws', async () => {
    const { app, told } = await storeApp()
    app.on('internal/dispatch', () => {
      throw new Error('validator')
    })
    expect(() => reportViolation(app, new Session('s'), violation)).not.toThrow()
    expect(told).toEqual([])
  })
})
