import type { OutputStream } from '../../src/terminal/io.js'
import { Output } from '../../src/terminal/output.js'
import { Sink } from './run.js'

/** What something prints, without colours. */
export async function printed(print: (out: Output) => unknown, columns?: number): Promise<string> {
  const sink = new Sink(columns)
  const out = new Output(sink as OutputStream, { colors: false, columns })
  await print(out)
  await out.drain()
  return sink.text
}
