import type { StoredRecord } from '@dsh/persistence/driver'
import { describe, expect, it } from 'vitest'
import { roleOfType, textOfRecord, typesOfRole } from '../../src/database/searchable.js'
import { answer, delta, event, prompt, toolResult, toRecords } from '../support/records.js'

const textOf = (...events: Parameters<typeof toRecords>[0]) => toRecords(events).map(textOfRecord).join('|')

describe('textOfRecord', () => {
  it('is what a person reads in a message', () => {
    expect(textOf(prompt(0, 'a'), answer(1, 'b'), toolResult(2, 'c'))).toBe('a|b|c')
    const steering = {
      ...prompt(0, ''),
      type: 'steering/message',
      data: { turn: 1, message: prompt(0, 'go left').data },
    }
    expect(textOf(steering as never)).toBe('go left')
  })

  it('is empty where there is none to read', () => {
    expect(textOf(event(0, { text: 'x' }), delta(1, 'x'), answer(2, ''))).toBe('||')
  })

  it('is empty for a message in a shape of somebody else', () => {
    const [record] = toRecords([prompt(0, 'x')])
    for (const body of [
      '{}',
      'no json',
      Buffer.from(record!.body).toString().replace('"content":[', '"content":5,"x":['),
    ]) {
      expect(textOfRecord({ ...record, body: Buffer.from(body) } as StoredRecord)).toBe('')
    }
  })
})

describe('roleOfType', () => {
  it('knows the events that hold text, and is not taken in by other names', () => {
    expect(roleOfType('tool/result')).toBe('tool')
    for (const type of ['tool/call', 'text-chunks', 'constructor', '__proto__'])
      expect(roleOfType(type)).toBeUndefined()
  })

  it('divides all types among the roles', () => {
    const each = (['user', 'assistant', 'tool'] as const).flatMap(role => typesOfRole(role))
    expect(each.sort()).toEqual(typesOfRole().sort())
  })
})
