import { CliError } from './error.js'

/** A parser for a whole number from `least` on. */
export function count(name: string, least = 0): (text: string) => number {
  return text => {
    const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (Number.isSafeInteger(number) && number >= least) return number
    throw usage(`${name} takes a whole number from ${least}, not ${JSON.stringify(text)}`)
  }
}

/** A parser for one of some words. */
export function oneOf<Word extends string>(name: string, words: readonly Word[]): (text: string) => Word {
  return text => {
    const word = words.find(each => each === text)
    if (word !== undefined) return word
    throw usage(`${name} takes one of ${words.join(', ')}, not ${JSON.stringify(text)}`)
  }
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** What {@link time} takes, for help. */
export const timeForms =
  'a date, a time, or an age in seconds, minutes, hours, days or weeks such as 30s, 90m, 12h, 30d, 8w'

/**
 * A parser for a point in time, as Unix epoch milliseconds: a date or time as ISO 8601 writes it, local where it has no
 * zone, or an age such as `30s`, `90m`, `12h`, `30d`, `2w`.
 */
export function time(name: string, now: () => number): (text: string) => number {
  return text => {
    const [, amount, unit] = /^(\d{1,9})([smhdw])$/.exec(text) ?? []
    if (amount !== undefined) return now() - Number(amount) * units[unit!]!
    // A date without a time would be taken for one in UTC.
    const local = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text
    const milliseconds = /^\d{4}-\d{2}-\d{2}T\d/.test(local) ? Date.parse(local) : Number.NaN
    if (!Number.isNaN(milliseconds)) return milliseconds
    throw usage(
      `${name} takes a date, a time or an age such as 2026-01-31, 2026-01-31T18:00 or 30d (units s, m, h, d, w), not ${JSON.stringify(text)}`,
    )
  }
}

export function usage(message: string): CliError {
  return new CliError('USAGE', message)
}
