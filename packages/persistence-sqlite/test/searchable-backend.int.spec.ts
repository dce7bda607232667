import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { driverConformance } from '@dsh/persistence/conformance'
import { JsonlDriver, jsonlManifest } from '@dsh/persistence-jsonl'
import { describe, expect, it } from 'vitest'
import { searchableBackend } from '../src/searchable-backend.js'
import { startHere } from './support/here.js'
import { temporaryDirectory } from './support/temporary.js'

function searchable(root: string) {
  const backend = { manifest: jsonlManifest, connect: () => new JsonlDriver({ root, durability: 'none' }) }
  return searchableBackend(backend, { file: join(root, '.search.sqlite') }, startHere)
}

driverConformance({ ...searchable('/').manifest, name: 'searchable jsonl' }, async () => {
  const root = await mkdtemp(join(tmpdir(), 'dsh-searchable-'))
  return {
    connect: () => searchable(root).connect(),
    dispose: () => rm(root, { recursive: true, force: true }),
  }
})

describe('searchableBackend', () => {
  it('adds the capability and leaves the others as they are', () => {
    const { manifest } = searchable('/')
    expect(manifest).toEqual({ name: 'jsonl', capabilities: { ...jsonlManifest.capabilities, search: true } })
  })

  it('keeps its file out of the way of the sessions', async () => {
    const driver = await searchable(temporaryDirectory()).connect()
    await driver.search!('fox', {})
    expect(await driver.list({})).toEqual({ entries: [] })
    await driver.close()
  })
})
