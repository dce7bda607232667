import type { DriverHandle, RecoveryReport } from '@dsh/persistence/driver'
import type { Ownership } from '@dsh/persistence/lock'
import { SessionError } from '@dsh/session'
import { holdsCompleteLine, saveBeside } from './cut-tail.js'
import { lookUp } from './directories.js'
import type { OpenFile } from './open-file.js'
import type { OpenLog } from './open-log.js'
import { openLog, recoveryReport } from './open-log.js'
import { ReadHandle } from './read-handle.js'
import type { Root } from './root.js'
import { storageFailed } from './storage-error.js'
import { closeParts } from './stored-log.js'
import { crcOfRange } from './verify.js'
import { WriteHandle } from './write-handle.js'
import { LogWriter } from './writer.js'

type OnClose = (handle: DriverHandle) => void

/** Opens a session without a lock, and without writing. @throws as `Driver.open` */
export async function openReader(root: Root, id: string, onClose: OnClose): Promise<DriverHandle> {
  const { directory } = root.paths(id)
  return new ReadHandle(await openLog(root.fs, directory, id, { flag: 'read', thorough: false }), onClose)
}

/**
 * Opens a session whose ownership the caller has; it is the handle's if that succeeds. A torn tail is cut, and what the
 * log then holds is durable when this returns.
 * @param isFresh whether the caller has just published it, so that there is nothing to find
 * @throws as `Driver.open`
 */
export async function openWriter(
  root: Root,
  id: string,
  owner: Ownership,
  isFresh: boolean,
  onClose: OnClose,
): Promise<DriverHandle> {
  const { directory } = root.paths(id)
  const claim = (file: OpenFile) => claimLog(root, file, owner, id)
  const flag = root.durable ? 'write-through' : 'write'
  const log = await openLog(root.fs, directory, id, { flag, thorough: !isFresh, claim })
  const { header, last, tail } = log
  try {
    const recovery = isFresh ? undefined : await repair(root, directory, log)
    const bytes = tail.end - tail.edge.byte
    const crc = await crcOfRange(last.source, tail.edge.byte, tail.end, last.seed)
    const uncovered = { crc, bytes, unterminated: tail.unterminated }
    const start = { edge: tail.edge, end: tail.end, next: tail.next, uncovered }
    const writer = new LogWriter(header.id, last.source, last.seed, start)
    return new WriteHandle(log, writer, owner, recovery, onClose)
  } catch (error) {
    await closeParts(log.parts)
    throw storageFailed('repair the log', error, { file: last.source.file, session: id })
  }
}

async function repair(root: Root, directory: string, log: OpenLog): Promise<RecoveryReport | undefined> {
  const { source, size } = log.last
  const { end } = log.tail
  let savedTo: string | undefined
  if (size > end) {
    if (await holdsCompleteLine(source, end, size)) savedTo = await saveBeside(root, directory, source, end, size)
    await source.truncate(end)
  }
  // Also without a cut: what a killed process wrote, and the name that it gave the session, may be in memory only.
  if (root.durable) await source.sync()
  await root.syncDirectory(root.path)
  return recoveryReport(log, savedTo)
}

async function claimLog(root: Root, log: OpenFile, owner: Ownership, session: string): Promise<void> {
  await owner.claim(log)
  const [opened, named] = [await log.stat(), await lookUp(root.fs, log.file)]
  // It was removed, or moved to the trash, between the opening and the claim.
  if (named?.ino === opened.ino && named.dev === opened.dev) return
  const place = { file: log.file, session }
  throw new SessionError('SESSION_NOT_FOUND', {
    expected: 'a stored session',
    found: 'one that was just moved',
    ...place,
  })
}
