import { describe, expect, it } from 'vitest'
import { flag, list, optionName, text, value } from '../src/option.js'
import { count } from '../src/parse-value.js'

describe('options', () => {
  it('read what stands on the command line', () => {
    expect(flag('x').read(true)).toBe(true)
    expect(flag('x').read(undefined)).toBe(false)
    expect(text('t', 'x').read('given')).toBe('given')
    expect(text('t', 'x').read(undefined)).toBeUndefined()
    expect(value('n', 'x', count('--n')).read('7')).toBe(7)
    expect(list('t', 'x').read(['a', 'b'])).toEqual(['a', 'b'])
    expect(list('t', 'x').read(undefined)).toEqual([])
  })

  it('are named as their keys, in kebab case', () => {
    expect(optionName('limit')).toBe('--limit')
    expect(optionName('skipChunks')).toBe('--skip-chunks')
  })
})
