import type { SessionId } from '@dsh/session'
import { SessionError } from '@dsh/session'
import { expect, it } from 'vitest'
import { textChunks, userMessage } from '../src/conformance/records.js'
import { asCorrupt, decodeRecord } from '../src/decode.js'

const id = 's' as SessionId

it('decodes events and packed runs', () => {
  expect(decodeRecord(userMessage(3, 'hello'), id)).toMatchObject([{ type: 'user/message', seq: 3 }])
  expect(decodeRecord(textChunks(4, 1, 7), id)).toHaveLength(7)
})

it('takes what cannot be decoded for damage of the session, with its place', () => {
  const record = userMessage(3, 'hello')
  const broken = { ...record, body: record.body.subarray(1) }
  expect(() => decodeRecord(broken, id)).toThrow(
    expect.objectContaining({ code: 'SESSION_CORRUPT', session: 's', seq: 3 }),
  )
  const misplaced = { ...record, seq: 9 }
  expect(() => decodeRecord(misplaced, id)).toThrow(expect.objectContaining({ code: 'SESSION_CORRUPT' }))
})

it('leaves failures that are no damage alone', () => {
  for (const error of [new TypeError('bug'), new SessionError('STORAGE_FAILED', { expected: 'a', found: 'b' })]) {
    expect(asCorrupt(error, id)).toBe(error)
  }
})
