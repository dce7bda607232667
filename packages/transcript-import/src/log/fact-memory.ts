import type { JsonValue } from '@dsh/llm'
import { isRecord, type JsonRecord } from '../json-value.js'

/** From which length on only a hash of a value is remembered. */
const LONG = 200
/** How many fields are remembered, so that memory stays bounded where keys are data. */
const MOST_FACTS = 10_000

/**
 * What the left-over fields of the records said last. Most tools repeat version, branch and the like in each record; the
 * log needs them once, and again when they change.
 */
export class FactMemory {
  readonly #last = new Map<string, string>()

  /** What is new in the left-over fields of a record; undefined when nothing is. */
  news(rest: JsonRecord): JsonRecord | undefined {
    if (this.#last.size > MOST_FACTS) this.#last.clear()
    return this.#news(rest, '')
  }

  #news(rest: JsonRecord, path: string): JsonRecord | undefined {
    const news = Object.entries(rest).flatMap(([key, value]) => {
      const fresh = this.#fresh(value, `${path}.${key}`)
      return fresh === undefined ? [] : [[key, fresh] as const]
    })
    return news.length === 0 ? undefined : Object.fromEntries(news)
  }

  #fresh(value: JsonValue, path: string): JsonValue | undefined {
    if (isRecord(value) && Object.keys(value).length > 0) return this.#news(value, path)
    const json = JSON.stringify(value)
    const fact = json.length > LONG ? `${json.length}:${hash(json)}` : json
    if (this.#last.get(path) === fact) return undefined
    this.#last.set(path, fact)
    return value
  }
}

/** 53 bits, so that two values of one length that follow each other in a field are not taken for the same. */
function hash(text: string): number {
  let [high, low] = [0xdead_beef, 0x41c6_ce57]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 2_654_435_761)
    low = Math.imul(low ^ unit, 1_597_334_677)
  }
  return (high >>> 11) * 4_294_967_296 + (low >>> 0)
}
