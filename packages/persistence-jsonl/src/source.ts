/** Bytes that can be read at any position: a file, or in a test an array. */
export interface ByteSource {
  /** Name for errors. */
  readonly file: string
  /** Fills `into` from `position` as far as there are bytes; returns how many. */
  read(into: Uint8Array, position: number): Promise<number>
}

export function memorySource(bytes: Uint8Array, file = 'memory', start = 0): ByteSource {
  return {
    file,
    async read(into, position) {
      const part = bytes.subarray(position - start, position - start + into.length)
      into.set(part)
      return part.length
    },
  }
}

/** Reads the bytes from `start` to `end`, or as many as there are. */
export async function readRange(source: ByteSource, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(end - start)
  const count = await source.read(bytes, start)
  return count === bytes.length ? bytes : bytes.subarray(0, count)
}
