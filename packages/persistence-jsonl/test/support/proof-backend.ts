import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ProofBackend } from '../../../persistence/test/proofs/backend.js'
import { JsonlDriver } from '../../src/driver.js'
import { sessionPaths } from '../../src/layout.js'

/** The driver as published, for proofs with several processes. */
export const proofBackend: ProofBackend = {
  module: new URL('../children/connect.ts', import.meta.url),
  newPlace() {
    const root = mkdtempSync(join(tmpdir(), 'proof-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    return root
  },
  connect: root => new JsonlDriver({ root }),
  lockOf: (root, id) => sessionPaths(root, id).lock,
  holdsLog: true,
}
