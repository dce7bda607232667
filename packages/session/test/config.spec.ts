import {
  absolutePath,
  type ConfigOptions,
  checkOptions,
  flag,
  oneOf,
  option,
  pluginConfig,
  required,
} from '@dsh/session/config'
import { anything, assert, constantFrom, dictionary, oneof, property, record, string } from 'fast-check'
import { describe, expect, it } from 'vitest'

interface Config {
  readonly root: string
  readonly mode?: 'a' | 'b' | 'c'
  readonly size?: number
  readonly isOn?: boolean
}

const options: ConfigOptions<Config> = {
  root: required(absolutePath(path => path.startsWith('/'))),
  mode: oneOf('a', 'b', 'c'),
  size: option('a number', value => typeof value === 'number'),
  isOn: flag,
}
const { validate } = pluginConfig('@dsh/x', options)['~standard']

function refusal(config: unknown): unknown {
  try {
    validate(config)
  } catch (error) {
    return error
  }
  return undefined
}

describe('pluginConfig', () => {
  it('passes on what is right, and leaves out nothing', () => {
    const config = { root: '/x', mode: 'c', size: 0, isOn: false }
    expect(validate(config)).toEqual({ value: config })
    expect(validate({ root: '/x', mode: undefined })).toEqual({ value: { root: '/x' } })
  })

  it('takes nothing for no options', () => {
    const { validate } = pluginConfig<object>('@dsh/y', {})['~standard']
    for (const nothing of [undefined, null, {}]) expect(validate(nothing)).toEqual({ value: {} })
  })

  it.each<[unknown, string]>([
    [undefined, 'expected an absolute path, found nothing (at root, plugin @dsh/x)'],
    [null, 'expected an absolute path, found nothing (at root, plugin @dsh/x)'],
    [{ root: null }, 'expected an absolute path, found null (at root, plugin @dsh/x)'],
    [{ root: 'x' }, 'expected an absolute path, found "x" (at root, plugin @dsh/x)'],
    [{ root: '/x\0' }, 'expected an absolute path, found "/x\\u0000" (at root, plugin @dsh/x)'],
    [{ root: ['/x'] }, 'expected an absolute path, found a list (at root, plugin @dsh/x)'],
    [{ root: '/x', mode: 'd' }, 'expected "a", "b" or "c", found "d" (at mode, plugin @dsh/x)'],
    [{ root: '/x', size: '1' }, 'expected a number, found "1" (at size, plugin @dsh/x)'],
    [{ root: '/x', isOn: 'yes' }, 'expected true or false, found "yes" (at isOn, plugin @dsh/x)'],
    ['/x', 'expected a mapping of options, found "/x" (plugin @dsh/x)'],
    [['/x'], 'expected a mapping of options, found a list (plugin @dsh/x)'],
  ])('refuses %j', (config, message) => {
    expect(refusal(config)).toMatchObject({
      code: 'INVALID_CONFIG',
      plugin: '@dsh/x',
      message: `INVALID_CONFIG: ${message}`,
    })
  })

  it('shows the names of the options to whoever misspelt one, though another is missing', () => {
    expect(refusal({ rooot: '/x' })).toMatchObject({
      path: 'rooot',
      expected: 'only the options root, mode, size and isOn',
      found: '"rooot"',
    })
  })

  it('has no options that it was not given', () => {
    const { validate } = pluginConfig<object>('@dsh/y', {})['~standard']
    for (const name of ['toString', 'constructor', '__proto__']) {
      const config = Object.fromEntries([[name, 1]])
      expect(() => validate(config)).toThrow(expect.objectContaining({ path: name, expected: 'no options' }))
    }
  })

  it('accepts exactly what its options accept, and refuses everything else with a code', () => {
    const names = constantFrom('root', 'mode', 'size', 'isOn', 'other')
    const right = record(
      { root: string().map(text => `/${text.replaceAll('\0', '')}`), mode: constantFrom('a', 'b', 'c') },
      { requiredKeys: ['root'] },
    )
    assert(
      property(right, config => {
        expect(validate(config).value).toBe(config)
      }),
    )
    assert(
      property(dictionary(names, oneof(anything(), constantFrom('/x', 'a', 1, true, undefined))), config => {
        const isRight =
          Object.entries(config).every(([name, value]) =>
            name === 'other' ? false : value === undefined || options[name as keyof Config].accepts(value),
          ) && config.root !== undefined
        const error = refusal(config)
        if (isRight) expect(error).toBeUndefined()
        else expect(error).toMatchObject({ code: 'INVALID_CONFIG', plugin: '@dsh/x' })
      }),
    )
  })
})

describe('checkOptions', () => {
  it('leaves options of others alone', () => {
    const config = { root: '/x', other: 1 }
    expect(checkOptions(options, config)).toBeUndefined()
    expect(() => checkOptions(options, undefined)).toThrow('expected an absolute path, found nothing (at root)')
  })
})
