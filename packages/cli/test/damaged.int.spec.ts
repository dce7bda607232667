import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Mutation, mutations } from '../../persistence-jsonl/test/support/mutations.js'
import { randomFrom } from '../../persistence-jsonl/test/support/random.js'
import { LogBuilder } from './support/log-builder.js'
import { contentsOf, TestRoot } from './support/root.js'
import { jsonLines, run } from './support/run.js'

/** Logs that are damaged in each way; with DSH_FULL=1 more of them. */
const ROUNDS = process.env.DSH_FULL === '1' ? 40 : 2

interface Report {
  readonly id?: string
  readonly findings?: readonly { kind: string; words: string }[]
  readonly salvaged?: string
  readonly recovered?: number
}

function log(): LogBuilder {
  const builder = new LogBuilder()
  for (let turn = 1; turn <= 3; turn++) {
    builder
      .prompt(`Question ${turn}`)
      .answer('Let me see.', { chunks: ['Let', ' me'], calls: [{ name: 'read', result: 'text' }] })
    builder.answer(`Answer ${turn}`).end()
  }
  return builder
}

/** Stores a log in some batches, damages it, and gives back its id. */
async function damage(root: TestRoot, id: string, mutation: Mutation, seed: number): Promise<boolean> {
  await root.store(id, log().events, { cwd: '/w' }, 5)
  const before = readFileSync(root.log(id))
  const after = mutation(before, randomFrom(seed))
  writeFileSync(root.log(id), after)
  return !after.equals(before)
}

it.each(Object.entries(mutations))(
  'says what is wrong with a log after %s, and salvages one that opens',
  async (name, mutation) => {
    const root = new TestRoot()
    const changed = new Map<string, boolean>()
    for (let round = 0; round < ROUNDS; round++) {
      const id = `${name}-${round}`
      changed.set(id, await damage(root, id, mutation, round * 7_919 + name.length))
    }
    const before = contentsOf(root.path)
    for (const id of changed.keys()) {
      const { code, stdout, stderr } = await run(['doctor', id, '--salvage', '--json', '-q'], { root: root.path })
      const [diagnosis, salvage] = jsonLines(stdout) as Report[]
      const isDamaged = diagnosis!.findings!.some(({ kind }) => kind === 'damage')
      for (const { words } of diagnosis!.findings!) expect(words).toMatch(/^[A-Z].+\.$/s)
      if (!isDamaged) {
        // Whatever was cut off is told, too, unless the log ends where a write did.
        expect({ id, code, salvage }).toEqual({ id, code: 0, salvage: undefined })
        expect(await run(['messages', id], { root: root.path })).toMatchObject({ code: 0 })
        continue
      }
      // Nobody but a newer release can tell what is in a log of its format.
      if (stderr.includes('FORMAT_UNSUPPORTED')) continue
      expect({ id, code, stderr }).toEqual({ id, code: 1, stderr: '' })
      expect(salvage!.salvaged).toBe(`${id}-salvaged`)
      expect(await run(['verify', salvage!.salvaged!], { root: root.path })).toMatchObject({ code: 0 })
      expect(await run(['show', salvage!.salvaged!], { root: root.path })).toMatchObject({ code: 0 })
    }
    expect(contentsOf(root.path)).toMatchObject(before)
  },
)
