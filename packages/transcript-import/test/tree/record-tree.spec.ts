import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RecordTree } from '../../src/tree/record-tree.js'

/** A tree of records, one a node: each names its parent's ordinal. A star marks what is no part of a conversation. */
function tree(...parents: readonly (number | `${number}*` | '-' | '-*')[]): RecordTree {
  const made = new RecordTree()
  for (const [ordinal, parent] of parents.entries()) {
    const text = String(parent)
    const above = text.startsWith('-') ? undefined : made.nodeOf(Number.parseInt(text, 10))
    made.put(ordinal, made.node(above), !text.endsWith('*'))
  }
  return made
}

function branches(made: RecordTree, ends: 'last record' | 'last message' = 'last message', records = 12) {
  return made.plan(ends).map(branch => {
    const members = Array.from({ length: records }, (_, ordinal) => ordinal).filter(ordinal => branch.includes(ordinal))
    return [members, branch.liveOnlyFrom, branch.ownFrom]
  })
}

const none = Number.POSITIVE_INFINITY

describe('RecordTree', () => {
  it('gives a chain as one branch', () => {
    expect(branches(tree('-', 0, 1))).toEqual([[[0, 1, 2], none, none]])
  })

  it('gives the branch of the last message first', () => {
    // 1 and 2 go on from 0; 3 from 1, so that the branch of 2 was left.
    expect(branches(tree('-', 0, 0, 1))).toEqual([
      [[0, 1, 3], none, none],
      [[0, 2], 1, 2],
    ])
  })

  it('takes what hangs on a message without going on for a part of it', () => {
    expect(branches(tree('-', '0*', '1*', 0))).toEqual([[[0, 1, 2, 3], none, none]])
  })

  it('can end the live branch with a record that is no message', () => {
    const made = tree('-', 0, '0*')
    expect(branches(made, 'last record')).toEqual([
      [[0, 2], none, none],
      [[0, 1, 2], none, 1],
    ])
    expect(branches(made)).toEqual([[[0, 1, 2], none, none]])
  })

  it('gives several roots a branch each', () => {
    expect(branches(tree('-', 0, '-', 2))).toEqual([
      [[2, 3], none, none],
      [[0, 1], 2, 0],
    ])
  })

  it('gives one branch of nothing but facts, and of nothing at all', () => {
    expect(branches(tree('-*', '0*'))).toEqual([[[0, 1], none, none]])
    expect(branches(new RecordTree())).toEqual([[[], none, none]])
  })

  it('puts several records into one node', () => {
    const made = new RecordTree()
    const [a, b, c] = [made.node(undefined), made.node(0), made.node(0)]
    for (const [ordinal, node] of [a, a, b, a, c].entries()) made.put(ordinal, node, true)
    expect(branches(made)).toEqual([
      [[0, 1, 3, 4], none, none],
      [[0, 1, 2, 3], 4, 2],
    ])
    expect(made.size).toBe(3)
  })

  it('gives each message to a branch, each branch what lies above it, and all of them a leaf of their own', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { minLength: 1, maxLength: 20 }), picks => {
        const parents = picks.map((pick, ordinal) => (pick % (ordinal + 1) === ordinal ? '-' : pick % (ordinal + 1)))
        const found = branches(tree(...(parents as number[])), 'last message', parents.length)
        const members = found.map(([list]) => list as number[])
        expect(new Set(members.flat()).size).toBe(parents.length)
        expect(members[0]).toContain(parents.length - 1)
        for (const list of members) {
          for (const ordinal of list) if (parents[ordinal] !== '-') expect(list).toContain(parents[ordinal])
          const leaf = Math.max(...list)
          expect(members.filter(other => other.includes(leaf))).toHaveLength(1)
        }
      }),
      { numRuns: 200 },
    )
  })
})
