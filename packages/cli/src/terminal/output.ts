import { CliError } from '../error.js'
import type { OutputStream } from './io.js'
import { fit, paint, type Text } from './text.js'
import { visibleJson } from './visible.js'

/** Characters that are kept before {@link Output.relieve} waits for the reader. */
const BUFFERED = 65_536

/** Whoever read the output went away, as `head` does: nothing to say, and nothing more to do. */
export class OutputClosed extends Error {}

/** Where a command prints. Everything goes through here, and nothing but the colours of this class drives a terminal. */
export class Output {
  /** Columns of the terminal; undefined where output is no terminal and nothing is cut. */
  readonly columns: number | undefined
  readonly #stream: OutputStream
  readonly #colors: boolean
  #buffer = ''
  #failure: Error | undefined

  constructor(stream: OutputStream, options: { readonly colors: boolean; readonly columns?: number | undefined }) {
    this.#stream = stream
    this.#colors = options.colors
    this.columns = options.columns
    stream.on('error', error => {
      this.#failure ??= error
    })
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true
  }

  /** Prints one line. */
  line(text: Text = ''): void {
    this.#buffer += `${paint(text, this.#colors)}\n`
  }

  /** Prints one line, or as much of it as the terminal is wide. */
  clipped(text: Text): void {
    this.line(this.columns === undefined ? text : fit(text, this.columns))
  }

  /** Prints a value as one line of JSON. */
  json(value: unknown): void {
    this.#buffer += `${visibleJson(value)}\n`
  }

  /** Prints text that is safe already. */
  safe(text: string): void {
    this.#buffer += text
  }

  /** Waits for the reader when much has been printed: to be called now and then where output is long. */
  async relieve(): Promise<void> {
    if (this.#buffer.length >= BUFFERED) await this.drain()
  }

  /** Waits until everything printed is on its way. @throws OutputClosed, OUTPUT_FAILED */
  async drain(): Promise<void> {
    this.#refuseFailed()
    const text = this.#buffer
    this.#buffer = ''
    if (text !== '') {
      await new Promise<void>(resolve => {
        this.#stream.write(text, error => {
          if (error) this.#failure ??= error
          resolve()
        })
      })
    }
    this.#refuseFailed()
  }

  #refuseFailed(): void {
    const error = this.#failure as NodeJS.ErrnoException | undefined
    if (error === undefined) return
    if (error.code === 'EPIPE' || error.code === 'EOF' || error.code === 'ERR_STREAM_DESTROYED')
      throw new OutputClosed()
    throw new CliError('OUTPUT_FAILED', `cannot write the output: ${error.message}`)
  }
}
