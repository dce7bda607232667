/** Most characters of a tool's answer that the model gets. */
const MAX_OUTPUT = 16_000

/** The text, or its beginning and end where it is too long. */
export function bounded(text: string, limit = MAX_OUTPUT): string {
  if (text.length <= limit) return text
  const head = wholeCharacters(text.slice(0, Math.ceil(limit / 2)))
  const tail = text.slice(text.length - Math.floor(limit / 2)).replace(/^[\udc00-\udfff]/, '')
  return `${head}\n… ${text.length - head.length - tail.length} characters left out …\n${tail}`
}

/** Keeps the end of a growing output, so that a command that never stops printing does not fill the memory. */
export class OutputTail {
  readonly #limit: number
  #text = ''
  #length = 0

  /** @param limit characters that are kept at least; twice as many are at most */
  constructor(limit = MAX_OUTPUT / 2) {
    this.#limit = limit
  }

  push(text: string): void {
    this.#length += text.length
    this.#text += text
    if (this.#text.length <= this.#limit * 2) return
    this.#text = this.#text.slice(-this.#limit).replace(/^[\udc00-\udfff]/, '')
  }

  toString(): string {
    const dropped = this.#length - this.#text.length
    return dropped === 0 ? this.#text : `… ${dropped} characters left out …\n${this.#text}`
  }
}

function wholeCharacters(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '')
}
