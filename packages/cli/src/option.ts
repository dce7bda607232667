/** What a shell can offer for a value. */
export type Completion = 'session' | 'trashed' | 'file' | 'directory' | readonly string[]

/** What help and shells say of an option. The key that it is declared under is its name: `dryRun` is `--dry-run`. */
export interface OptionFacts {
  readonly about: string
  /** What stands for the value in help; absent for a flag. */
  readonly value?: string
  /** A letter for short, without its dash. */
  readonly short?: string
  /** Whether it can be given several times. */
  readonly isList?: boolean
  readonly completes?: Completion
  /** What holds where the option is not given, for help. */
  readonly fallback?: string
}

/** An option of a command. */
export interface Option<T> extends OptionFacts {
  /** The value of the option. @throws USAGE */
  readonly read: (given: OptionInput) => T
}

/** An option as it stood on the command line: absent, a flag, a value, or values. */
export type OptionInput = undefined | true | string | readonly string[]

/** The options of a command by key. */
export type OptionTable = Readonly<Record<string, Option<unknown>>>

/** What a command gets of its options. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Key in keyof Table]: Table[Key] extends Option<infer T> ? T : never
}

type Extras = Pick<OptionFacts, 'short' | 'completes' | 'fallback'>

/** An option without a value. */
export function flag(about: string, extras: Pick<Extras, 'short'> = {}): Option<boolean> {
  return { about, ...extras, read: given => given === true }
}

/** An option with a value, undefined where it is not given. */
export function text(name: string, about: string, extras: Extras = {}): Option<string | undefined> {
  return value(name, about, given => given, extras)
}

/** The same with a value that is more than text. @param parse throws USAGE for a value that is none */
export function value<T>(
  name: string,
  about: string,
  parse: (text: string) => T,
  extras: Extras = {},
): Option<T | undefined> {
  return { about, value: name, ...extras, read: given => (typeof given === 'string' ? parse(given) : undefined) }
}

/** An option that can be given several times. */
export function list(name: string, about: string, extras: Extras = {}): Option<readonly string[]> {
  return { about, value: name, isList: true, ...extras, read: given => (Array.isArray(given) ? given : []) }
}

/** The name of an option as it is written on the command line. */
export function optionName(key: string): string {
  return `--${key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
}
