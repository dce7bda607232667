declare const gc: () => void

/** Runs `action` a few times on fresh input and gives the best time in milliseconds: the least disturbed one. */
export function best<Input>(prepare: () => Input, action: (input: Input) => unknown, runs = 5): number {
  let time = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const input = prepare()
    gc()
    const start = performance.now()
    sink = action(input)
    time = Math.min(time, performance.now() - start)
  }
  return time
}

/** Keeps results alive, so that nothing that is measured can be optimised away. */
export let sink: unknown

/** One line of a result table: milliseconds by contestant. */
export interface Row {
  readonly name: string
  readonly floor: number
  readonly ours: number
  readonly peer?: number | undefined
  /** How many operations were timed. */
  readonly count: number
}

/** Prints a Markdown table: time per operation, ratio to the floor, ratio of the peer to ours. */
export function printTable(title: string, rows: readonly Row[]): void {
  console.log(`\n### ${title}\n`)
  console.log('| workload | floor | ours | peer | ours ÷ floor | peer ÷ ours |')
  console.log('|---|---:|---:|---:|---:|---:|')
  for (const { name, floor, ours, peer, count } of rows) {
    const each = (time: number | undefined) => (time === undefined ? '–' : formatTime(time / count))
    const ratio = (a: number | undefined, b: number) => (a === undefined ? '–' : `${(a / b).toFixed(1)}×`)
    console.log(
      `| ${name} | ${each(floor)} | ${each(ours)} | ${each(peer)} | ${ratio(ours, floor)} | ${ratio(peer, ours)} |`,
    )
  }
}

function formatTime(milliseconds: number): string {
  if (milliseconds >= 1) return `${milliseconds.toFixed(1)} ms`
  if (milliseconds >= 0.001) return `${(milliseconds * 1000).toFixed(1)} µs`
  return `${(milliseconds * 1e6).toFixed(0)} ns`
}
