import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { driverConformance } from '@dsh/persistence/conformance'
import { SqliteDriver, sqliteManifest } from '../src/driver.js'
import { rotBody } from './support/damage.js'

// As in `driver.int.spec.ts`, with the database in a thread of its own, as published.
driverConformance({ ...sqliteManifest, name: 'threaded sqlite' }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'dsh-sqlite-'))
  const file = join(directory, 'sessions.db')
  return {
    connect: () => new SqliteDriver({ file, durability: 'none' }),
    damage: id => rotBody(file, id),
    dispose: () => rm(directory, { recursive: true, force: true }),
  }
})
