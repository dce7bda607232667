import { jsonEquals } from '@dsh/llm'
import { type EpochHeader, headerEquals, type RequestContext } from '@dsh/session'
import type { LogWriter } from '../log/log-writer.js'

/** The headers of the requests, written where they change. */
export class RequestLog {
  #header: EpochHeader | undefined
  #context: RequestContext | undefined
  #next: { readonly header: EpochHeader; readonly contextWindow: number | undefined } | undefined

  /** Sets the header of the requests from the next on. */
  set(header: EpochHeader, contextWindow: number | undefined): void {
    this.#next = { header, contextWindow }
  }

  /** Keeps a header that no request has followed. */
  close(writer: LogWriter): void {
    const next = this.#next
    if (next === undefined || !this.#isNew(next.header)) return
    const { header, contextWindow } = next
    writer.keepPart('unused request', {
      header: { ...header },
      ...(contextWindow !== undefined && { contextWindow }),
    } as never)
  }

  /** Writes what has changed since the last request. */
  write(writer: LogWriter, time: number): void {
    const next = this.#next
    this.#next = undefined
    if (next === undefined || !this.#isNew(next.header)) return
    const { header, contextWindow } = next
    writer.log('request/header', { header, reason: this.#header === undefined ? 'initial' : 'change' }, time)
    this.#header = header
    if (contextWindow === undefined) return
    const { provider, model } = header.config
    const context = { provider, model, contextWindow }
    if (jsonEquals(context, this.#context)) return
    this.#context = context
    writer.log('request/context', context, time)
  }

  #isNew(header: EpochHeader): boolean {
    return this.#header === undefined || !headerEquals(header, this.#header)
  }
}
