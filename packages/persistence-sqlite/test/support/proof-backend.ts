import { join } from 'node:path'
import { sessionSlug } from '@dsh/persistence/lock'
import type { ProofBackend } from '../../../persistence/test/proofs/backend.js'
import { SqliteDriver } from '../../src/driver.js'
import { temporaryFile } from './temporary.js'

/** The driver as published, for proofs with several processes. */
export const proofBackend: ProofBackend = {
  module: new URL('../children/connect.ts', import.meta.url),
  newPlace: temporaryFile,
  connect: file => new SqliteDriver({ file }),
  lockOf: (file, id) => join(`${file}.locks`, sessionSlug(id)),
  holdsLog: false,
}
