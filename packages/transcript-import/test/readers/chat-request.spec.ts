import { describe, expect, it } from 'vitest'
import { Fields } from '../../src/fields.js'
import { readSettings, readTools, requestHeader, routeOf, toolSchema } from '../../src/readers/chat-request.js'

describe('requestHeader', () => {
  it('is nothing where only the route is known', () => {
    expect(requestHeader({ provider: 'p', model: 'm' })).toBeUndefined()
  })

  it('holds what is known, and says unknown for a route that is not', () => {
    expect(requestHeader({ system: 's', maxTokens: 5, stop: ['x'] })).toEqual({
      config: { provider: 'unknown', model: 'unknown', maxTokens: 5, stop: ['x'] },
      system: 's',
    })
  })
})

describe('readSettings', () => {
  it('reads what both APIs call by the same name, and leaves the rest', () => {
    const fields = new Fields({ max_tokens: 5, temperature: 0.5, stop_sequences: ['x'], top_p: 1 })
    expect(readSettings(fields)).toEqual({ maxTokens: 5, temperature: 0.5, stop: ['x'] })
    expect(fields.rest()).toEqual({ top_p: 1 })
  })

  it('does not take what is no setting', () => {
    const fields = new Fields({ max_tokens: 0.5, stop: [1] })
    expect(readSettings(fields)).toEqual({ maxTokens: undefined, temperature: undefined, stop: undefined })
    expect(readSettings(new Fields({ stop: 'x' })).stop).toEqual(['x'])
  })
})

describe('readTools', () => {
  const read = (tools: unknown) => {
    const fields = new Fields({ tools } as never)
    return [readTools(fields, 'tools', item => toolSchema(item, 'input_schema')), fields.rest()]
  }

  it('reads tools of the known shape', () => {
    expect(read([{ name: 'a', description: 'b', input_schema: { type: 'object' } }, { name: 'c' }])).toEqual([
      [
        { name: 'a', description: 'b', parameters: { type: 'object' } },
        { name: 'c', description: '', parameters: {} },
      ],
      undefined,
    ])
  })

  it('leaves the whole list where one of them says more, or is none', () => {
    for (const tools of [
      [{ name: 'a', cache_control: {} }],
      [{ name: '' }],
      [{ name: 'a', input_schema: [] }],
      'x',
      [1],
    ]) {
      expect(read(tools)).toEqual([undefined, { tools }])
    }
  })
})

describe('routeOf', () => {
  it('prefers what the source knows over what the caller says', () => {
    const options = { provider: 'p', model: 'm' }
    expect(routeOf(options)).toEqual({ provider: 'p', model: 'm' })
    expect(routeOf(options, { model: 'other' })).toEqual({ provider: 'p', model: 'other' })
    expect(routeOf({ provider: undefined, model: undefined }, { model: '' })).toEqual({
      provider: 'unknown',
      model: 'unknown',
    })
  })
})
