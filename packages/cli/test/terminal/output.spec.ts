import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { OutputStream } from '../../src/terminal/io.js'
import { Output, OutputClosed } from '../../src/terminal/output.js'
import { red } from '../../src/terminal/text.js'
import { Sink } from '../support/run.js'

function failing(code: string): OutputStream {
  return new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${code}`), { code })),
  })
}

describe('Output', () => {
  it('writes nothing before it is drained, and then everything in order', async () => {
    const sink = new Sink()
    const out = new Output(sink as OutputStream, { colors: false })
    out.line('one')
    out.json({ two: '\u001b' })
    out.line()
    out.safe('three')
    expect(sink.text).toBe('')
    await out.drain()
    await out.drain()
    expect(sink.text).toBe('one\n{"two":"\\u001b"}\n\nthree')
  })

  it('colours only where it was told to', async () => {
    const [plain, coloured] = [new Sink(80), new Sink(80)]
    for (const [sink, colors] of [
      [plain, false],
      [coloured, true],
    ] as const) {
      const out = new Output(sink as OutputStream, { colors, columns: 80 })
      out.line(red('x'))
      await out.drain()
    }
    expect(plain.text).toBe('x\n')
    expect(coloured.text).toBe('\u001b[31mx\u001b[39m\n')
  })

  it('cuts a line to the terminal, and to nothing where there is none', async () => {
    const [narrow, pipe] = [new Sink(5), new Sink()]
    for (const sink of [narrow, pipe]) {
      const out = new Output(sink as OutputStream, { colors: false, columns: sink.columns })
      out.clipped('a long line')
      await out.drain()
    }
    expect(narrow.text).toBe('a lo…\n')
    expect(pipe.text).toBe('a long line\n')
  })

  it('waits for the reader only when much has been printed', async () => {
    const sink = new Sink()
    const out = new Output(sink as OutputStream, { colors: false })
    out.line('little')
    await out.relieve()
    expect(sink.text).toBe('')
    out.line('x'.repeat(70_000))
    await out.relieve()
    expect(sink.text).toHaveLength(70_008)
  })

  it.each(['EPIPE', 'EOF', 'ERR_STREAM_DESTROYED'])('tells a reader that went away (%s) from a failure', async code => {
    const out = new Output(failing(code), { colors: false })
    out.line('x')
    await expect(out.drain()).rejects.toBeInstanceOf(OutputClosed)
    out.line('y')
    await expect(out.drain()).rejects.toBeInstanceOf(OutputClosed)
  })

  it('says why the output cannot be written', async () => {
    const out = new Output(failing('ENOSPC'), { colors: false })
    out.line('x')
    await expect(out.drain()).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
      message: expect.stringContaining('ENOSPC'),
    })
  })
})
