import { describe, expect, it } from 'vitest'
import { requestHeader } from '../../src/rules/request-header.js'
import { brokenBy, complaints } from '../support/broken-by.js'
import { header, raw, stepEnd, stepStart, turnEnd, turnStart } from '../support/draft.js'

const open = [turnStart(1), stepStart(1)] as const

describe('request-header', () => {
  it('accepts the first as initial, then a resume without and a change with a difference', () => {
    expect(brokenBy(requestHeader, ...open, header('initial'), header('resume'), header('change', 'Be long.'))).toEqual(
      [],
    )
  })

  it('refuses initial after another header', () => {
    expect(complaints(requestHeader, ...open, header('initial'), header('initial', 'Be long.'))).toEqual([
      'expected reason "initial" on the first header and on no other, found "initial" after another header at data.reason',
    ])
  })

  it('refuses resume and change before any header', () => {
    expect(brokenBy(requestHeader, ...open, header('resume'))).toEqual([2])
    expect(brokenBy(requestHeader, ...open, header('change'))).toEqual([2])
  })

  it('refuses a change that changes nothing, be it written in another form', () => {
    const data = {
      reason: 'change',
      header: { tools: [], system: 'Be brief.', config: { model: 'm-1', provider: 'acme' } },
    }
    expect(brokenBy(requestHeader, ...open, header(), header('change'), raw('request/header', data))).toEqual([3, 4])
  })

  it('compares with the header in force, not with the first', () => {
    const log = [...open, header('initial', 'A'), header('change', 'B'), header('change', 'A')]
    expect(brokenBy(requestHeader, ...log)).toEqual([])
  })

  it('refuses a header outside a step', () => {
    expect(brokenBy(requestHeader, header(), turnStart(1), header('resume'), stepStart(1), header('resume'))).toEqual([
      0, 2,
    ])
    expect(
      brokenBy(requestHeader, ...open, header(), stepEnd(1), header('resume'), turnEnd(1), header('resume')),
    ).toEqual([4, 6])
  })
})
