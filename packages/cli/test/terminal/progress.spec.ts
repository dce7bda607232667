import { describe, expect, it } from 'vitest'
import type { OutputStream } from '../../src/terminal/io.js'
import { Progress } from '../../src/terminal/progress.js'
import { Sink } from '../support/run.js'

function start(columns?: number) {
  const sink = new Sink(columns)
  const clock = { time: 0 }
  return { sink, clock, progress: new Progress(sink as OutputStream, () => clock.time) }
}

describe('Progress', () => {
  it('shows a line now and then, and takes it away', () => {
    const { sink, clock, progress } = start(20)
    progress.update('too early')
    clock.time = 150
    progress.update('1 of 9')
    clock.time = 200
    progress.update('too soon')
    clock.time = 400
    progress.update('5 of 9')
    progress.clear()
    expect(sink.text).toBe('\r\u001b[K1 of 9\r\u001b[K5 of 9\r\u001b[K')
  })

  it('says nothing of short work, nor where there is no terminal', () => {
    const short = start(20)
    short.progress.update('1')
    short.progress.clear()
    const piped = start()
    piped.clock.time = 1_000
    piped.progress.update('1')
    piped.progress.clear()
    new Progress(undefined, () => 1_000).update('1')
    expect(short.sink.text + piped.sink.text).toBe('')
  })

  it('keeps to one line, and shows what a name would do to the terminal', () => {
    const { sink, clock, progress } = start(12)
    clock.time = 1_000
    progress.update('name\n\u001b[2J and more')
    expect(sink.text).toBe('\r\u001b[Kname\\n\\x1b…')
  })
})
