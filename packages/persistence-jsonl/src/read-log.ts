import type { ReadRange, StoredRecord } from '@dsh/persistence/driver'
import { readBackward } from './read-backward.js'
import { readForward } from './read-forward.js'
import type { LogSnapshot } from './snapshot.js'
import { storageFailed } from './storage-error.js'

/** Yields the records of a range in its direction. @throws SESSION_CORRUPT, STORAGE_FAILED; the signal's reason */
export async function* readLog(
  log: LogSnapshot,
  range: ReadRange,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly StoredRecord[]> {
  signal?.throwIfAborted()
  const batches = (range.reverse ? readBackward : readForward)(log, range, signal)
  try {
    yield* batches
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw storageFailed('read the log', error, {
      file: log.parts[log.parts.length - 1]!.source.file,
      session: log.session,
    })
  }
}
