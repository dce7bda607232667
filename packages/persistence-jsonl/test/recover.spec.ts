import { describe, expect, it } from 'vitest'
import { recoverTail } from '../src/recover.js'
import { partOf, writeLog } from './support/log-bytes.js'
import { event, lines, toRecords } from './support/records.js'

const log = writeLog([3, 1, 12, 2, 30])
const edges = log.edges.map(({ byte }) => byte)
const last = log.edges.at(-1)!
const extra = lines(toRecords([event(48), event(49)]))

function recover(bytes: Buffer, thorough: boolean, isOnlyPart = true) {
  return recoverTail(partOf(log, bytes), { thorough, isOnlyPart })
}

const rot = (at: number) => {
  const bytes = Buffer.from(log.bytes)
  bytes[at] = bytes[at]! ^ 4
  return bytes
}

const withTail = (...tail: (string | Buffer)[]) => Buffer.concat([log.bytes, ...tail.map(each => Buffer.from(each))])

describe.each([true, false])('recoverTail (thorough: %s)', thorough => {
  it('finds the end of an intact log', async () => {
    const state = await recover(log.bytes, thorough)
    expect(state).toMatchObject({ edge: last, end: last.byte, next: 48, keptEvents: 0, notes: [], kept: [] })
    expect(state.lastTime).toBe(log.records.at(-1)!.time)
  })

  it('keeps whole rows after the last commit line, and leaves the rest', async () => {
    const state = await recover(withTail(`${extra[0]}\n${extra[1]!.slice(0, 20)}`), thorough)
    expect(lines(state.kept!)).toEqual([extra[0]])
    expect(state).toMatchObject({ next: 49, keptEvents: 1, edge: last, end: last.byte + extra[0]!.length + 1 })
    expect(state.lastTime).toBe(toRecords([event(48)])[0]!.time)
  })

  it('leaves zeros', async () => {
    expect(await recover(withTail(Buffer.alloc(5_000)), thorough)).toMatchObject({ end: last.byte, next: 48 })
  })

  it('goes back to the batch before one that a power cut tore', async () => {
    const torn = Buffer.from(log.bytes)
    torn.fill(0, edges[4]! + 200, edges[4]! + 300)
    const state = await recover(torn, thorough)
    expect(state.edge).toMatchObject({ byte: edges[4], next: 18 })
    expect(state.next).toBeGreaterThan(18)
    expect(lines(state.kept!)).toEqual(lines(log.records.filter(({ seq }) => seq >= 18 && seq < state.next)))
  })

  it('keeps the last time when nothing of a torn batch is kept', async () => {
    const torn = Buffer.from(log.bytes)
    torn.fill(0, edges[4]!, edges[4]! + 100)
    const state = await recover(torn, thorough)
    expect(state).toMatchObject({ next: 18, keptEvents: 0, lastTime: log.records.find(({ seq }) => seq === 17)!.time })
  })

  it('refuses a last batch that was altered, and says where', async () => {
    const error = await recover(rot(edges[4]! + 40), thorough).catch(error => error)
    expect(error).toMatchObject({ code: 'SESSION_CORRUPT', session: 's', file: 'memory', byte: edges[4], seq: 18 })
    expect(error.line).toBeGreaterThan(1)
    expect(error.details).toEqual({ lost: { fromSeq: 18, fromByte: edges[4], toByte: log.bytes.length } })
  })

  it('refuses a log whose end was moved from elsewhere', async () => {
    const moved = Buffer.concat([
      log.bytes.subarray(0, edges[1]),
      log.bytes.subarray(edges[2]),
      log.bytes.subarray(edges[1], edges[2]),
    ])
    await expect(recover(moved, thorough)).rejects.toMatchObject({ code: 'SESSION_CORRUPT' })
  })

  it('takes a log without commit lines for a foreign one, all of it unverified', async () => {
    const plain = log.bytes.toString().replace(/\{"type":"commit".*\n/g, '\r\n')
    const state = await recover(Buffer.from(plain), thorough)
    expect(state).toMatchObject({ next: 48, keptEvents: 48, edge: { byte: edges[0], next: 0 } })
    expect(state.kept).toBeUndefined()
    expect(state.notes).toEqual(['no commit line vouches for this log'])
  })

  it('takes only the last line of a foreign log for torn', async () => {
    const rows = log.bytes
      .toString()
      .replace(/\{"type":"commit".*\n/g, '')
      .split('\n')
    rows[4] = rows[4]!.slice(0, -3)
    const error = await recover(Buffer.from(rows.join('\n')), thorough).catch(error => error)
    expect(error).toMatchObject({ code: 'SESSION_CORRUPT', line: 5 })
    const torn = rows.slice(0, 5).join('\n')
    for (const end of ['', '\n']) {
      expect(await recover(Buffer.from(torn + end), thorough)).toMatchObject({ unterminated: false })
    }
    rows[4] = rows[8]!
    for (const end of ['', '\n']) {
      const misplaced = recover(Buffer.from(rows.slice(0, 5).join('\n') + end), thorough)
      await expect(misplaced).rejects.toMatchObject({ code: 'SESSION_CORRUPT', line: 5 })
    }
  })

  it('takes a foreign log of several parts for a torn one', async () => {
    const bytes = Buffer.concat([
      log.bytes.subarray(0, edges[0]),
      Buffer.from(lines(log.records).slice(0, 2).join('\n')),
    ])
    const state = await recover(bytes, thorough, false)
    expect(state.notes).toEqual([])
    expect(lines(state.kept!)).toEqual(lines(log.records).slice(0, 1))
  })
})

describe('recoverTail', () => {
  it('finds damage before the last batch when it is thorough', async () => {
    const bytes = rot(edges[1]! + 20)
    await expect(recover(bytes, true)).rejects.toMatchObject({
      code: 'SESSION_CORRUPT',
      byte: edges[1],
      seq: 3,
      details: { lost: { fromSeq: 3, toSeq: 4, fromByte: edges[1], toByte: edges[2] } },
    })
    expect(await recover(bytes, false)).toMatchObject({ next: 48 })
  })
})
