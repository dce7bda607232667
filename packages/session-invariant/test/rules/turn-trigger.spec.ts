import { describe, expect, it } from 'vitest'
import { turnTrigger } from '../../src/rules/turn-trigger.js'
import { brokenBy, complaints } from '../support/broken-by.js'
import { raw, turnStart } from '../support/draft.js'

describe('turn-trigger', () => {
  it.each([
    { kind: 'message', source: { kind: 'user' } },
    { kind: 'message', source: { kind: 'acme', extra: 1 } },
    { kind: 'injection', source: { kind: 'plugin', plugin: 'acme' } },
    { kind: 'retry' },
    { kind: 'acme-cron', at: 5 },
  ])('accepts %j', trigger => {
    expect(brokenBy(turnTrigger, turnStart(1, trigger))).toEqual([])
  })

  it.each([
    [undefined, 'expected an object, found none at data.trigger'],
    [null, 'expected an object, found null at data.trigger'],
    ['message', 'expected an object, found "message" at data.trigger'],
    [{}, 'expected a non-empty string, found none at data.trigger.kind'],
    [{ kind: '' }, 'expected a non-empty string, found "" at data.trigger.kind'],
    [{ kind: 'message' }, 'expected a value, found none at data.trigger.source'],
    [{ kind: 'message', source: { kind: 'plugin' } }, 'expected a value, found none at data.trigger.source.plugin'],
    [{ kind: 'retry', of: 3 }, 'expected no such field, found 3 at data.trigger.of'],
  ])('refuses %j', (trigger, complaint) => {
    expect(complaints(turnTrigger, raw('turn/start', { turn: 1, trigger }))).toEqual([complaint])
  })
})
