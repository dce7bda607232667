/** Changes made to the bytes of a log by everything but its writer. */
export type Mutation = (bytes: Buffer, random: () => number) => Buffer

function below(limit: number, random: () => number): number {
  return Math.floor(random() * limit)
}

function splice(bytes: Buffer, at: number, remove: number, insert: Buffer | string): Buffer {
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(insert), bytes.subarray(at + remove)])
}

/** Start and end, line feed included, of each line. */
function lineRanges(bytes: Buffer): [start: number, end: number][] {
  const ranges: [number, number][] = []
  for (let start = 0; start < bytes.length; ) {
    const feed = bytes.indexOf(10, start)
    const end = feed < 0 ? bytes.length : feed + 1
    ranges.push([start, end])
    start = end
  }
  return ranges
}

function someLine(bytes: Buffer, random: () => number): [number, number] {
  const ranges = lineRanges(bytes)
  return ranges[below(ranges.length, random)] ?? [0, 0]
}

export const mutations: Record<string, Mutation> = {
  cut: (bytes, random) => bytes.subarray(0, below(bytes.length, random)),
  cutLate: (bytes, random) => bytes.subarray(0, bytes.length - below(300, random)),
  flipBit(bytes, random) {
    const copy = Buffer.from(bytes)
    const at = below(bytes.length, random)
    copy[at] = copy[at]! ^ (1 << below(8, random))
    return copy
  },
  flipBytes(bytes, random) {
    const copy = Buffer.from(bytes)
    for (let count = 1 + below(5, random); count > 0; count--) copy[below(bytes.length, random)] = below(256, random)
    return copy
  },
  overwriteWithNuls(bytes, random) {
    const at = below(bytes.length, random)
    return Buffer.from(bytes).fill(0, at, Math.min(bytes.length, at + 1 + below(600, random)))
  },
  insertNuls: (bytes, random) => splice(bytes, below(bytes.length, random), 0, Buffer.alloc(1 + below(200, random))),
  appendNuls: (bytes, random) => Buffer.concat([bytes, Buffer.alloc(1 + below(500, random))]),
  glueLines(bytes, random) {
    const [, end] = someLine(bytes, random)
    return splice(bytes, end - 1, 1, '')
  },
  duplicateLine(bytes, random) {
    const [start, end] = someLine(bytes, random)
    return splice(bytes, end, 0, bytes.subarray(start, end))
  },
  repeatLineElsewhere(bytes, random) {
    const [start, end] = someLine(bytes, random)
    return splice(bytes, someLine(bytes, random)[0], 0, bytes.subarray(start, end))
  },
  deleteLine(bytes, random) {
    const [start, end] = someLine(bytes, random)
    return splice(bytes, start, end - start, '')
  },
  swapLines(bytes, random) {
    const [first, second] = [someLine(bytes, random), someLine(bytes, random)].sort((one, other) => one[0] - other[0])
    if (first![0] === second![0]) return Buffer.from(bytes)
    return Buffer.concat([
      bytes.subarray(0, first![0]),
      bytes.subarray(...second!),
      bytes.subarray(first![1], second![0]),
      bytes.subarray(...first!),
      bytes.subarray(second![1]),
    ])
  },
  halfLineFirst(bytes, random) {
    const [start, end] = someLine(bytes, random)
    const half = bytes.subarray(start, start + 1 + below(end - start - 1, random))
    return splice(bytes, start, 0, random() < 0.5 ? Buffer.concat([half, Buffer.from('\n')]) : half)
  },
  hugeNumber(bytes, random) {
    const numbers = [...bytes.toString('latin1').matchAll(/\d+/g)]
    const chosen = numbers[below(numbers.length, random)]
    const huge = ['9'.repeat(400), '1e999', '-1', '9007199254740993', '0.5', '18446744073709551616']
    return chosen ? splice(bytes, chosen.index, chosen[0].length, huge[below(huge.length, random)]!) : bytes
  },
  deepNesting(bytes, random) {
    const depth = 1 + below(20_000, random)
    return splice(bytes, someLine(bytes, random)[0], 0, `${'['.repeat(depth)}${']'.repeat(depth)}\n`)
  },
  invalidUtf8: (bytes, random) =>
    splice(bytes, below(bytes.length, random), 0, Buffer.from([0xc3, 0x28, 0xed, 0xa0, 0x80])),
  foreignLine(bytes, random) {
    const lines = [
      'null\n',
      '{}\n',
      '[]\n',
      '{"type":"session"}\n',
      '{"type":"commit"}\n',
      '"\n',
      '{"seq":1e400}\n',
      '\r\n',
      '\ufeff\n',
    ]
    return splice(bytes, someLine(bytes, random)[0], 0, lines[below(lines.length, random)]!)
  },
  lyingCommit(bytes, random) {
    const line = `{"type":"commit","next":${below(99, random)},"time":1,"bytes":${below(9_999, random)},"crc":${below(2 ** 32, random)}}\n`
    return splice(bytes, someLine(bytes, random)[0], 0, line)
  },
}

export { lineRanges }
