import { join, relative } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findParts, firstSeqOfPart, LOCKS, partName, STAGING, sessionPaths, TRASH } from '../src/layout.js'

const root = join('/', 'some', 'root')
const hostile = [
  '',
  '.',
  '..',
  '../..',
  '/etc/passwd',
  'a/../../b',
  'C:\\x',
  '\u0000',
  'CON',
  'x'.repeat(10_000),
  '\ud800',
]

describe('sessionPaths', () => {
  it('stays one safe segment below the root for every id', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...hostile)), id => {
        const { slug, directory, lock, trash } = sessionPaths(root, id)
        expect(slug).toMatch(/^[A-Za-z0-9][A-Za-z0-9_-]{0,100}$/)
        expect(relative(root, directory)).toBe(slug)
        expect(relative(root, lock)).toBe(join(LOCKS, slug))
        expect(relative(root, trash)).toBe(join(TRASH, slug))
      }),
    )
  })

  it('keeps apart what a file system that folds case or form would merge', () => {
    const ids = ['a', 'A', 'e\u0301', '\u00e9', 'a.', 'a', 'a ', 'a/b', 'a-b', '\ud800', '\udfff', '\ufffd']
    const folded = new Set(ids.map(id => sessionPaths(root, id).slug.toLowerCase().normalize('NFKD')))
    expect(folded.size).toBe(new Set(ids).size)
  })

  it('gives no session the name of a directory of its own', () => {
    for (const name of [LOCKS, STAGING, TRASH]) expect(name.startsWith('.')).toBe(true)
  })
})

describe('the parts of a log', () => {
  it('are named after the first event in them', () => {
    fc.assert(
      fc.property(fc.nat(), seq => {
        expect(firstSeqOfPart(partName(seq))).toBe(seq)
      }),
    )
  })

  it.each([
    'log-.jsonl',
    'log-01.jsonl',
    'log-1.jsonl.bak',
    'log--1.jsonl',
    'log-1e3.jsonl',
    'LOG-1.jsonl',
    'log-1.json',
  ])('are not found in %s', name => {
    expect(firstSeqOfPart(name)).toBeUndefined()
  })

  it('are found in the order of their events, not of their names', () => {
    expect(findParts(['log-10.jsonl', 'notes.txt', 'log-9.jsonl', 'log-0.jsonl'])).toEqual([0, 9, 10])
  })
})
