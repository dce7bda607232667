import type { SessionHeader, SessionId } from '@dsh/session'
import { decodeRow, openTurn } from '@dsh/session'
import type { RecoveryReport } from './driver.js'
import type { Engine } from './engine.js'
import { withReader } from './load.js'
import { restoreSession } from './restore.js'
import { storageError } from './storage-error.js'

/** What {@link verify} found. */
export interface VerifyReport {
  readonly id: SessionId
  /** Whether every record was read, decoded and found in its place. */
  readonly isIntact: boolean
  readonly header?: SessionHeader
  /** Events that can be read; where the session is damaged, those that its storage counts. */
  readonly events: number
  /** Whether the last turn was never ended. */
  readonly hasOpenTurn: boolean
  /** What a torn or foreign log made necessary to read it. */
  readonly recovery?: RecoveryReport
  /** The first damage, with its place. */
  readonly error?: Error
}

/**
 * Reads a stored session whole and checks every record, payloads too. Damage is a finding, not an error.
 * @throws SESSION_NOT_FOUND, STORAGE_FAILED
 */
export async function verify(engine: Engine, id: SessionId): Promise<VerifyReport> {
  await engine.writers.settle(id)
  let found: Omit<VerifyReport, 'isIntact'> = { id, events: 0, hasOpenTurn: false }
  try {
    return await withReader(engine, id, async handle => {
      const { header, recovery, nextSeq } = handle
      found = { ...found, header, events: nextSeq, ...(recovery !== undefined && { recovery }) }
      const session = await restoreSession(handle, engine.clock, engine.signal, decodeRow)
      return { ...found, events: session.seq, hasOpenTurn: session.fold(openTurn) !== undefined, isIntact: true }
    })
  } catch (cause) {
    const error = storageError(cause, id)
    if (error.code !== 'SESSION_CORRUPT' && error.code !== 'FORMAT_UNSUPPORTED') throw error
    return { ...found, isIntact: false, error }
  }
}
