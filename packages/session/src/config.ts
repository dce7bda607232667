import { describeValue } from './describe.js'
import { SessionError } from './error.js'

/** What an option of a plugin has to be. */
export interface ConfigOption<Value> {
  /** As a noun phrase. */
  readonly expected: string
  readonly isRequired: boolean
  accepts(value: unknown): value is Value
}

/** The options of a plugin by name. */
export type ConfigOptions<Config> = {
  readonly [Name in keyof Config]-?: ConfigOption<Exclude<Config[Name], undefined>>
}

/**
 * The static `Config` of a plugin, by which Cordis checks what the plugin is mounted with: a Standard Schema. It throws
 * instead of returning issues, because Cordis passes on what is thrown, and so the error has a code.
 */
export interface PluginConfig<Config> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    /** @throws INVALID_CONFIG naming the plugin and the option */
    readonly validate: (config: unknown) => { readonly value: Config }
    readonly types?: { readonly input: Config; readonly output: Config }
  }
}

/** An option that can be left out. */
export function option<Value>(expected: string, accepts: (value: unknown) => boolean): ConfigOption<Value> {
  return { expected, isRequired: false, accepts: (value): value is Value => accepts(value) }
}

/** An option that can be left out, and is one of these words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): ConfigOption<Word> {
  return option(listed(words.map(quoted)), value => words.includes(value as Word))
}

/** An option that can be left out, and is a path that does not depend on the working directory. */
export function absolutePath(isAbsolute: (path: string) => boolean): ConfigOption<string> {
  return option('an absolute path', value => typeof value === 'string' && isAbsolute(value) && !value.includes('\0'))
}

/** An option that can be left out, and is a switch. */
export const flag: ConfigOption<boolean> = option('true or false', value => typeof value === 'boolean')

/** The same option, for plugins that cannot do without. */
export function required<Value>(optional: ConfigOption<Value>): ConfigOption<Value> {
  return { ...optional, isRequired: true }
}

/** Checks the values of these options, and of no others. @throws INVALID_CONFIG naming the option */
export function checkOptions<Config>(
  options: ConfigOptions<Config>,
  config: NoInfer<Config> | undefined,
  plugin?: string,
): void {
  for (const [path, { expected, isRequired, accepts }] of Object.entries<ConfigOption<unknown>>(options)) {
    const value = (config as Readonly<Record<string, unknown>> | undefined)?.[path]
    if (value === undefined ? isRequired : !accepts(value))
      throw invalidConfig(expected, describeValue(value), path, plugin)
  }
}

/** The `Config` of a plugin that has these options and no others. `plugin` is the name by which it is imported. */
export function pluginConfig<Config>(plugin: string, options: ConfigOptions<Config>): PluginConfig<Config> {
  const names = Object.keys(options)
  function validate(given: unknown) {
    // A loader passes on what stands in a file, which may be nothing.
    const config = given ?? {}
    if (typeof config !== 'object' || Array.isArray(config)) {
      throw invalidConfig('a mapping of options', describeValue(config), undefined, plugin)
    }
    for (const name of Object.keys(config)) {
      if (Object.hasOwn(options, name)) continue
      const expected = names.length === 0 ? 'no options' : `only the options ${listed(names, 'and')}`
      throw invalidConfig(expected, quoted(name), name, plugin)
    }
    checkOptions(options, config as Config, plugin)
    return { value: config as Config }
  }
  return { '~standard': { version: 1, vendor: '@dsh/session', validate } }
}

function invalidConfig(expected: string, found: string, path?: string, plugin?: string): SessionError {
  return new SessionError('INVALID_CONFIG', {
    expected,
    found,
    ...(path !== undefined && { path }),
    ...(plugin !== undefined && { plugin }),
  })
}

function listed(words: readonly string[], conjunction = 'or'): string {
  const [last, ...others] = words.toReversed()
  return others.length === 0 ? last! : `${others.toReversed().join(', ')} ${conjunction} ${last}`
}

function quoted(text: string): string {
  return JSON.stringify(text)
}
