import { Worker } from 'node:worker_threads'
import type { Reply, Request } from './protocol.js'

/** What becomes known of a host. */
export interface HostEvents {
  replied(reply: Reply): void
  /** It is gone, and with it the operations that were under way. */
  died(reason: Error): void
}

/** Where a database lives. It does not keep the process alive unless it is held. */
export interface Host {
  send(request: Request, transfer: readonly ArrayBuffer[]): void
  hold(): void
  release(): void
  end(): Promise<void>
}

/** Starts a host. */
export type StartHost = (events: HostEvents) => Host

// Among the sources, as specs see them, the worker is the built one: a thread starts as plain Node does.
const entry = import.meta.url.endsWith('.ts')
  ? new URL('../dist/worker.js', import.meta.url)
  : new URL('./worker.js', import.meta.url)

/** Starts a thread for a database. */
export const startThread: StartHost = ({ replied, died }) => {
  const worker = new Worker(entry, { name: 'sessions' })
  worker.on('message', replied)
  worker.on('error', died)
  worker.on('exit', code => died(new Error(`the thread of the database ended with code ${code}`)))
  worker.unref()
  return {
    send: (request, transfer) => worker.postMessage(request, transfer),
    hold: () => worker.ref(),
    release: () => worker.unref(),
    end: async () => {
      await worker.terminate()
    },
  }
}
