import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { driverConformance } from '@dsh/persistence/conformance'
import { sessionSlug } from '@dsh/persistence/lock'
import { JsonlDriver, jsonlManifest } from '@dsh/persistence-jsonl'

driverConformance(jsonlManifest, async () => {
  const root = await mkdtemp(join(tmpdir(), 'dsh-jsonl-'))
  return {
    connect: () => new JsonlDriver({ root, durability: 'none' }),
    async damage(id) {
      const file = join(root, sessionSlug(id), 'log-0.jsonl')
      const bytes = await readFile(file)
      bytes.fill(0, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 40)
      await writeFile(file, bytes)
    },
    dispose: () => rm(root, { recursive: true, force: true }),
  }
})
