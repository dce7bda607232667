import { createLocker } from '@dsh/persistence/lock'
import type { SqliteSystem } from '../../src/driver.js'
import { Server } from '../../src/server.js'
import type { StartHost } from '../../src/thread.js'

/**
 * A database in this thread, so that a spec runs on the sources and can be debugged. What is sent is cloned and handed
 * over as between threads.
 */
export const startHere: StartHost = ({ replied }) => {
  const server = new Server((reply, transfer) => {
    const copy = structuredClone(reply, { transfer: [...transfer] })
    setImmediate(() => replied(copy))
  })
  return {
    send(request, transfer) {
      const copy = structuredClone(request, { transfer: [...transfer] })
      setImmediate(() => server.handle(copy))
    },
    hold() {},
    release() {},
    async end() {
      await server.handle({ number: 0, name: 'close', argument: {} })
    },
  }
}

export const here: SqliteSystem = { start: startHere, locker: createLocker() }
