import type { JsonValue } from '@dsh/llm'
import { isRecord, type JsonRecord } from './json-value.js'

/**
 * The fields of a source record, read one by one. What is read counts as used, and {@link Fields.rest} gives what is
 * left, so that a reader cannot drop a field that it does not know. A field of another type than the one asked for stays
 * where it is.
 */
export class Fields {
  readonly record: JsonRecord
  readonly #used = new Set<string>()
  readonly #children = new Map<string, Fields | readonly Fields[]>()

  constructor(record: JsonRecord) {
    this.record = record
  }

  /** A string. */
  text(key: string): string | undefined {
    const value = this.peek(key)
    return typeof value === 'string' ? this.#use(key, value) : undefined
  }

  /** A finite number. */
  number(key: string): number | undefined {
    const value = this.peek(key)
    return typeof value === 'number' ? this.#use(key, value) : undefined
  }

  /** A number of tokens. */
  count(key: string): number | undefined {
    const value = this.peek(key)
    return Number.isSafeInteger(value) && (value as number) >= 0 ? this.number(key) : undefined
  }

  /** A sum of what other fields say: used where it is one. */
  sum(key: string, ...parts: readonly (number | undefined)[]): this {
    const sum = parts.reduce<number>((total, part) => total + (part ?? 0), 0)
    return this.peek(key) === sum ? this.spend(key) : this
  }

  flag(key: string): boolean | undefined {
    const value = this.peek(key)
    return typeof value === 'boolean' ? this.#use(key, value) : undefined
  }

  /** A value of any type, whole. */
  take(key: string): JsonValue | undefined {
    const value = this.peek(key)
    return value === undefined ? undefined : this.#use(key, value)
  }

  /** An object, to be read field by field; what is left of it stays in the rest of this one. */
  object(key: string): Fields | undefined {
    const known = this.#children.get(key)
    if (known instanceof Fields) return known
    const value = this.peek(key)
    if (!isRecord(value)) return undefined
    return this.#adopt(key, new Fields(value))
  }

  /** A list of objects, likewise. A list that also holds other values is left alone. */
  objects(key: string): readonly Fields[] | undefined {
    const known = this.#children.get(key)
    if (Array.isArray(known)) return known
    const value = this.peek(key)
    if (!Array.isArray(value) || !value.every(isRecord)) return undefined
    return this.#adopt(
      key,
      value.map(item => new Fields(item)),
    )
  }

  /** The value of a field, without using it. */
  peek(key: string): JsonValue | undefined {
    return Object.hasOwn(this.record, key) ? this.record[key] : undefined
  }

  /** Counts fields as used that say nothing of their own: links and copies of what other fields say. */
  spend(...keys: readonly string[]): this {
    for (const key of keys) this.#used.add(key)
    return this
  }

  /** Counts a string as used where it is one of those that say no more than that all went well. */
  spendKnown(key: string, values: ReadonlySet<unknown>): this {
    return values.has(this.peek(key)) ? this.spend(key) : this
  }

  /** Gives fields back that turned out to have no place. */
  giveBack(...keys: readonly string[]): this {
    for (const key of keys) {
      this.#used.delete(key)
      this.#children.delete(key)
    }
    return this
  }

  /** What has not been used, in place: lists become objects by index. Undefined when nothing is left. */
  rest(): JsonRecord | undefined {
    const rest: [string, JsonValue][] = []
    for (const key of Object.keys(this.record)) {
      if (this.#used.has(key)) continue
      const child = this.#children.get(key)
      const left = child === undefined ? this.record[key]! : restOf(child)
      if (left !== undefined) rest.push([key, left])
    }
    return rest.length === 0 ? undefined : Object.fromEntries(rest)
  }

  #use<T extends JsonValue>(key: string, value: T): T {
    this.#used.add(key)
    return value
  }

  #adopt<T extends Fields | readonly Fields[]>(key: string, child: T): T {
    this.#children.set(key, child)
    return child
  }
}

function restOf(child: Fields | readonly Fields[]): JsonRecord | undefined {
  if (child instanceof Fields) return child.rest()
  const rest = child.flatMap((item, index) => {
    const left = item.rest()
    return left === undefined ? [] : [[String(index), left] as const]
  })
  return rest.length === 0 ? undefined : Object.fromEntries(rest)
}
