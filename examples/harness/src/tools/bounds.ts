/** Most characters of a tool's answer that the model gets. */
export const MAX_OUTPUT = 16_000

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
  #dropped = 0

  constructor(limit = MAX_OUTPUT) {
    this.#limit = limit
  }

  push(text: string): void {
    this.#text += text
    if (this.#text.length <= this.#limit * 2) return
    const excess = this.#text.length - this.#limit
    this.#text = this.#text.slice(excess).replace(/^[\udc00-\udfff]/, '')
    this.#dropped += excess
  }

  toString(): string {
    return this.#dropped === 0 ? this.#text : `… ${this.#dropped} characters left out …\n${this.#text}`
  }
}

function wholeCharacters(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '')
}
