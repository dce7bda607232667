import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A directory for the running test. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'dsh-sqlite-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A place for a database for the running test. */
export function temporaryFile(): string {
  return join(temporaryDirectory(), 'sessions.db')
}
