import { SessionError } from '@dsh/session'
import type { DatabaseOptions } from './database/open-database.js'
import { errorOfImage } from './error-image.js'
import type { Argument, OpenReport, OperationName, Reply, Result, TakePart } from './protocol.js'
import type { Host, StartHost } from './thread.js'

/** What goes along with an operation. */
export interface CallOptions {
  /** Buffers of the argument that are handed over, and no longer there afterwards. */
  readonly transfer?: readonly ArrayBuffer[]
  readonly take?: TakePart | undefined
}

interface Pending {
  readonly take: TakePart | undefined
  resolve(value: never): void
  reject(error: Error): void
}

/**
 * A database in another thread, which is started when it is first needed, and again after it died. The operations that
 * were under way then have an outcome that nobody knows.
 */
export class Connection {
  private readonly options: DatabaseOptions
  private readonly start: StartHost
  private readonly pending = new Map<number, Pending>()
  private host: Host | undefined
  private opening: Promise<OpenReport> | undefined
  private identity: string | undefined
  private last = 0

  constructor(options: DatabaseOptions, start: StartHost) {
    this.options = options
    this.start = start
  }

  /** Opens the database unless it is open. @throws STORAGE_FAILED, FORMAT_UNSUPPORTED, OWNERSHIP_LOST */
  open(): Promise<OpenReport> {
    this.opening ??= this.openDatabase()
    return this.opening
  }

  /**
   * Asks for an operation.
   * @throws what the operation throws; STORAGE_FAILED when its thread dies
   */
  async call<Name extends OperationName>(
    name: Name,
    argument: Argument<Name>,
    options: CallOptions = {},
  ): Promise<Result<Name>> {
    await this.open()
    return this.send(name, argument, options)
  }

  /** Closes the database, after what was asked for before. */
  async close(): Promise<void> {
    await this.opening?.catch(() => {})
    if (!this.host) return
    try {
      await this.send('close', {})
    } finally {
      await this.stop()
    }
  }

  private async openDatabase(): Promise<OpenReport> {
    try {
      const report = await this.send('openDatabase', { ...this.options, identity: this.identity })
      this.identity = report.identity
      return report
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  private send<Name extends OperationName>(
    name: Name,
    argument: Argument<Name>,
    { transfer = [], take }: CallOptions = {},
  ): Promise<Result<Name>> {
    return new Promise((resolve, reject) => {
      const host = this.running()
      const number = ++this.last
      if (this.pending.size === 0) host.hold()
      this.pending.set(number, { resolve, reject, take })
      host.send({ number, name, argument }, transfer)
    })
  }

  private running(): Host {
    if (this.host) return this.host
    const host = this.start({
      replied: reply => this.settle(reply),
      died: reason => {
        if (this.host === host) this.forget(reason)
      },
    })
    this.host = host
    return host
  }

  private settle(reply: Reply): void {
    const pending = this.pending.get(reply.number)
    if (!pending) return
    if ('part' in reply) {
      pending.take?.(reply.part)
      return
    }
    this.pending.delete(reply.number)
    if (this.pending.size === 0) this.host?.release()
    if ('error' in reply) pending.reject(errorOfImage(reply.error))
    else pending.resolve(reply.value as never)
  }

  private async stop(): Promise<void> {
    const { host } = this
    this.forget(new Error('the database was closed'))
    await host?.end()
  }

  private forget(reason: Error): void {
    this.host = undefined
    this.opening = undefined
    const lost = [...this.pending.values()]
    this.pending.clear()
    for (const { reject } of lost) reject(diedError(reason, this.options.file))
  }
}

function diedError(cause: Error, file: string): SessionError {
  return new SessionError('STORAGE_FAILED', {
    expected: 'the thread of the database to answer',
    found: cause.message,
    file,
    details: { indeterminate: true },
    cause,
  })
}
