import { SessionError } from '@dsh/session'
import type { FileStat, FileSystem, OpenFlag } from './fs.js'
import type { ByteSource } from './source.js'

/**
 * A file that stays open. Closing waits for the operations in flight: a descriptor that is closed under one of them may
 * by then be the number of another file.
 */
export class OpenFile implements ByteSource {
  readonly file: string
  private readonly fs: FileSystem
  private readonly fd: number
  private readonly flag: OpenFlag
  private inFlight = 0
  private closing: Promise<void> | undefined
  private onIdle: (() => void) | undefined

  private constructor(fs: FileSystem, fd: number, file: string, flag: OpenFlag) {
    this.fs = fs
    this.fd = fd
    this.file = file
    this.flag = flag
  }

  static async open(fs: FileSystem, file: string, flag: OpenFlag): Promise<OpenFile> {
    return new OpenFile(fs, await fs.open(file, flag), file, flag)
  }

  /** Whether what {@link write} has written is durable. */
  get isWriteThrough(): boolean {
    return this.flag === 'write-through'
  }

  stat(): Promise<FileStat> {
    return this.use(fd => this.fs.fstat(fd))
  }

  /** As {@link stat}, at once. */
  statNow(): FileStat {
    this.requireOpen()
    return this.fs.now.fstat(this.fd)
  }

  /** Fills `into` as far as the file goes; returns the number of bytes. */
  read(into: Uint8Array, position: number): Promise<number> {
    return this.use(async fd => {
      let done = 0
      while (done < into.length) {
        const count = await this.fs.read(fd, done === 0 ? into : into.subarray(done), position + done)
        if (count === 0) break
        done += count
      }
      return done
    })
  }

  /** Writes all of `bytes`. */
  write(bytes: Uint8Array, position: number): Promise<void> {
    const write = this.isWriteThrough ? this.fs.writeThrough : this.fs.write
    return this.use(async fd => {
      let done = 0
      while (done < bytes.length) {
        const count = await write.call(this.fs, fd, done === 0 ? bytes : bytes.subarray(done), position + done)
        // A file takes at least a byte or says why not; going on without an answer would be going on forever.
        if (count === 0)
          throw Object.assign(new Error('ENOSPC: the file takes no more bytes, write'), { code: 'ENOSPC' })
        done += count
      }
    })
  }

  truncate(size: number): Promise<void> {
    return this.use(fd => this.fs.ftruncate(fd, size))
  }

  sync(): Promise<void> {
    return this.use(fd => this.fs.fdatasync(fd))
  }

  /** Runs `operation` on the descriptor, which stays open until it is done. */
  async use<T>(operation: (fd: number) => Promise<T>): Promise<T> {
    this.requireOpen()
    this.inFlight++
    try {
      return await operation(this.fd)
    } finally {
      this.inFlight--
      if (this.inFlight === 0) this.onIdle?.()
    }
  }

  /** Idempotent. A failure to close is none of the data's, which was synced when it mattered. */
  close(): Promise<void> {
    this.closing ??= this.closeWhenIdle()
    return this.closing
  }

  private requireOpen(): void {
    if (!this.closing) return
    throw new SessionError('STORAGE_FAILED', {
      expected: 'an open file',
      found: 'one that was closed',
      file: this.file,
      details: { indeterminate: false },
    })
  }

  private async closeWhenIdle(): Promise<void> {
    if (this.inFlight > 0) {
      await new Promise<void>(resolve => {
        this.onIdle = resolve
      })
    }
    await this.fs.close(this.fd).catch(() => {})
  }
}
