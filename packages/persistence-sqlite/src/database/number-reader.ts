const SPACE = 0x20
const MINUS = 0x2d
const ZERO = 0x30

/** Reads whole numbers that are written in decimal, with a space after each, without making text of them. */
export class NumberReader {
  readonly bytes: Uint8Array<ArrayBuffer>
  at = 0

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes
  }

  /** The number at the present place; of anything else some number. */
  next(): number {
    const { bytes } = this
    const isNegative = bytes[this.at] === MINUS
    if (isNegative) this.at++
    let value = 0
    for (; this.at < bytes.length && bytes[this.at] !== SPACE; this.at++) value = value * 10 + (bytes[this.at]! - ZERO)
    this.at++
    return isNegative ? -value : value
  }

  /** The six numbers at the present place. */
  six(): readonly [number, number, number, number, number, number] {
    return [this.next(), this.next(), this.next(), this.next(), this.next(), this.next()]
  }

  /** The text from the present place to before `end`. */
  text(end: number): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset).toString('utf8', this.at, end)
  }
}
