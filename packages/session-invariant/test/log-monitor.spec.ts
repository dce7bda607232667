import { describe, expect, it } from 'vitest'
import { coreRules, type InvariantRule, LogMonitor, RuleTable, violation } from '../src/index.js'
import { logOf, raw } from './support/draft.js'

/** Counts what it has seen, and breaks at every event of type `acme/bad`. */
const counter: InvariantRule<number> = {
  name: 'counter',
  code: 'COUNTER',
  description: 'Nothing is bad.',
  initial: () => 0,
  apply: (count, event) =>
    (event.type as string) === 'acme/bad' ? violation('good', `bad after ${count}`, count + 1, 'type') : count + 1,
  gap: () => 0,
}
const [good, bad, again] = logOf(raw('acme/good'), raw('acme/bad'), raw('acme/bad'))

describe('LogMonitor', () => {
  it('judges without changing anything', () => {
    const monitor = new LogMonitor(new RuleTable([counter]))
    monitor.advance(good!)
    expect(monitor.judge(bad!)).toEqual({
      rule: 'counter',
      code: 'COUNTER',
      seq: 1,
      message: 'expected good, found bad after 1 at type',
      expected: 'good',
      found: 'bad after 1',
      path: 'type',
    })
    expect(monitor.judge(bad!)?.found).toBe('bad after 1')
    expect(monitor.seq).toBe(1)
  })

  it('asks a rule once about an event that was judged and then committed', () => {
    let asked = 0
    const apply = (count: number) => {
      asked++
      return count + 1
    }
    const monitor = new LogMonitor(new RuleTable([{ ...counter, apply }]))
    monitor.judge(good!)
    monitor.advance(good!)
    expect(asked).toBe(1)
  })

  it('forgets a candidate when another event is committed in its place', () => {
    const monitor = new LogMonitor(new RuleTable([counter]))
    monitor.judge(good!)
    expect(monitor.advance({ ...good! })).toEqual([])
    expect(monitor.judge(bad!)?.found).toBe('bad after 1')
  })

  it('goes on behind a violation', () => {
    const monitor = new LogMonitor(new RuleTable([counter]))
    for (const event of [good, bad]) monitor.advance(event!)
    expect(monitor.advance(again!).map(({ found, seq }) => [found, seq])).toEqual([['bad after 2', 2]])
  })

  it('tells rules of deltas that were skipped', () => {
    const monitor = new LogMonitor(new RuleTable([counter]))
    monitor.advance(good!)
    monitor.skipDeltas(5)
    expect([monitor.seq, monitor.judge({ ...bad!, seq: 6 })?.found]).toEqual([6, 'bad after 0'])
  })

  it('takes a rule that throws for a violation, without a state', () => {
    const apply = (): never => {
      throw new TypeError('bug')
    }
    const monitor = new LogMonitor(new RuleTable([{ ...counter, apply }, counter]))
    expect(monitor.advance(good!).map(({ found }) => found)).toEqual(['an exception: TypeError: bug'])
    expect(monitor.judge(good!)?.expected).toBe('an event that the rule can read')
  })

  it('says once what is wrong with an event that most rules cannot read', () => {
    const monitor = new LogMonitor(new RuleTable(coreRules()))
    expect(monitor.advance(logOf(raw('assistant/message', {}))[0]!).map(({ rule }) => rule)).toEqual([
      'payload',
      'enclosure',
    ])
  })

  it('survives every payload, however malformed', () => {
    const monitor = new LogMonitor(new RuleTable(coreRules('strict')))
    const types = new Set(coreRules().flatMap(rule => rule.types ?? []))
    for (const type of types) {
      for (const data of [null, 5, 'x', [], {}, { turn: null, chunk: null, message: null }]) {
        const [event] = logOf(raw(type, data))
        expect(monitor.judge(event!), type).toBeDefined()
        expect(monitor.advance(event!).length, type).toBeGreaterThan(0)
      }
    }
  })

  it('keeps the states of rules that stay and takes those of newcomers', () => {
    const other = { ...counter, name: 'other' }
    const monitor = new LogMonitor(new RuleTable([counter]))
    monitor.advance(good!)
    const table = new RuleTable([other, counter])
    monitor.adopt(table, new LogMonitor(new RuleTable([other])))
    expect(monitor.advance(bad!).map(({ rule, found }) => `${rule}: ${found}`)).toEqual([
      'other: bad after 0',
      'counter: bad after 1',
    ])
    expect(monitor.table).toBe(table)
  })
})
