import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeRows, readMarker } from '../../src/codec/index.js'
import { expectError } from '../support/expect-error.js'
import { bytes, eventLists, textOf } from './arbitraries.js'

const line = (rest: string, seq = 50) => bytes(`{"type":"user/message","seq":${seq},"time":1,${rest}}`)

describe('readMarker', () => {
  it('finds the marker of every surface event, however its line is spelled', () => {
    fc.assert(
      fc.property(eventLists, fc.boolean(), (events, respell) => {
        const surface = events.filter(event => 'surfaceOp' in event)
        for (const [index, row] of encodeRows(surface).entries()) {
          const { surfaceOp, sourceEventSeqs } = surface[index]!
          const body = respell
            ? bytes(JSON.stringify(JSON.parse(textOf(row)), null, '\t').replaceAll('\n', ''))
            : row.body
          const marker = readMarker(body)
          expect(marker.surfaceOp).toEqual(surfaceOp)
          expect(marker.sourceEventSeqs).toEqual(sourceEventSeqs)
          // A copy must not lose the sources, nor invent them.
          expect({ ...marker }).toEqual(sourceEventSeqs === undefined ? { surfaceOp } : { surfaceOp, sourceEventSeqs })
        }
      }),
      { numRuns: 200 },
    )
  })

  it('leaves the payload unread', () => {
    expect(readMarker(line('"surfaceOp":"append","data":{!}'))).toEqual({ surfaceOp: 'append' })
    expect(readMarker(line('"surfaceOp":"append","sourceEventSeqs":[1,[3,6]],"data":!')).sourceEventSeqs).toEqual([
      1, 3, 4, 5, 6,
    ])
  })

  it('expands the sources once', () => {
    const marker = readMarker(line('"surfaceOp":"append","sourceEventSeqs":[[3,6]],"data":{}'))
    expect(marker.sourceEventSeqs).toBe(marker.sourceEventSeqs)
    expect(Object.isFrozen(marker.sourceEventSeqs)).toBe(true)
  })

  it('reads the parts of a replacement in any order', () => {
    const marker = readMarker(line('"surfaceOp":{"end":4,"start":2,"op":"replace"},"data":{}'))
    expect(marker.surfaceOp).toEqual({ op: 'replace', start: 2, end: 4 })
  })

  it.each([
    ['"data":{}', 'surfaceOp'],
    ['"surfaceOp":"prepend","data":{}', 'surfaceOp'],
    ['"surfaceOp":null,"data":{}', 'surfaceOp'],
    ['"surfaceOp":{"op":"replace","start":1},"data":{}', 'surfaceOp'],
    ['"surfaceOp":{"op":"replace","start":-1,"end":2},"data":{}', 'surfaceOp'],
    ['"surfaceOp":{"op":"replace","start":1,"end":1.5},"data":{}', 'surfaceOp'],
    ['"surfaceOp":{"op":"replace","start":1,"end":2,"more":3},"data":{}', 'surfaceOp'],
    ['"surfaceOp":{"op":"insert","start":1,"end":2},"data":{}', 'surfaceOp'],
    ['"sourceEventSeqs":[1],"data":{}', 'surfaceOp'],
    ['"surfaceOp":"append","extra":1,"data":{}', 'extra'],
    ['"surfaceOp":"append"', 'data'],
    ['"surfaceOp":"append","sourceEventSeqs":[1]', 'data'],
    ['"surfaceOp":"append","sourceEventSeqs":["1"],"data":{}', 'sourceEventSeqs[0]'],
  ])('refuses a line with %s', (rest, path) => {
    expect(expectError('INVALID_EVENT', () => readMarker(line(rest))).path).toBe(path)
  })

  it.each(['[1', '[1],[2]', '[[2,1]]', '[-1]', '{}'])('refuses the sources %s when they are asked for', sources => {
    const marker = readMarker(line(`"surfaceOp":"append","sourceEventSeqs":${sources},"data":{}`))
    const error = expectError('INVALID_EVENT', () => marker.sourceEventSeqs)
    expect([error.seq, error.path?.startsWith('sourceEventSeqs')]).toEqual([50, true])
  })

  it('reads a line that is spelled differently from the sources on', () => {
    for (const rest of [
      '"sourceEventSeqs":[1] ,"data":{}',
      '"sourceEventSeqs":[1], "data":{}',
      '"data":{},"sourceEventSeqs":[1]',
    ]) {
      expect(readMarker(line(`"surfaceOp":"append",${rest}`)).sourceEventSeqs).toEqual([1])
    }
  })

  it('refuses sources that are not UTF-8 when they are asked for', () => {
    const body = line('"surfaceOp":"append","sourceEventSeqs":[1],"data":{}')
    body[body.indexOf(91) + 1] = 0xff
    expectError('INVALID_EVENT', () => readMarker(body).sourceEventSeqs)
  })

  it('refuses a packed row', () => {
    expectError('INVALID_EVENT', () => readMarker(bytes('{"type":"text-chunks","seq":1,"n":1,"time":1,"data":{}}')))
  })
})
