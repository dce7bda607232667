import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('./append-child.ts', import.meta.url))

/** A process that appends to a session; see `append-child.ts`. */
export class Appender {
  readonly process: ChildProcessWithoutNullStreams
  /** The last sequence number that it reported. */
  acknowledged = 0
  private readonly lines: AsyncIterator<string>
  private errors = ''

  constructor(backend: URL, place: string, id: string, count: number, pace: 'paced' | 'free' = 'free') {
    this.process = spawn(process.execPath, [script, backend.href, place, id, String(count), pace])
    this.process.stderr.on('data', chunk => {
      this.errors += chunk
    })
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]()
  }

  /** Waits for a report that has to come. @throws what the process wrote on standard error instead */
  async report(): Promise<void> {
    if (await this.next()) return
    await this.ended()
    throw new Error(`the process ended without a report: ${this.errors}`)
  }

  /** Waits for the next report; false when there is none any more. */
  async next(): Promise<boolean> {
    const { value, done } = await this.lines.next()
    if (done) return false
    this.acknowledged = Number(value.split(' ')[1])
    return true
  }

  /** Lets a paced process append once, and waits until that is acknowledged. */
  async step(): Promise<void> {
    this.process.stdin.write('\n')
    await this.report()
  }

  /** Takes in what is still in the pipe and waits for the end. @throws what the process wrote on standard error */
  async ended(): Promise<number | null> {
    const exit =
      this.process.exitCode === null && this.process.signalCode === null ? once(this.process, 'exit') : undefined
    while (await this.next()) {
      // Every report counts.
    }
    await exit
    if (this.process.signalCode === null && this.process.exitCode !== 0) throw new Error(this.errors)
    return this.process.exitCode
  }

  kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    this.process.kill(signal)
  }
}
