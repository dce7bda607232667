import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { grow, startApp } from './app.js'
import { MemoryPersistence, MemoryStorage } from './memory-driver.js'

const page = read('../../../docs/write-a-backend.md')

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
}

/** The code of the only block in a language. */
function block(language: string): string {
  const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(([, tag]) => tag === language)
  expect(blocks).toHaveLength(1)
  return blocks[0]![2]!
}

// Both files are compiled and run with the others, so the page shows code that passes the suite.
it('shows the driver and the compliance test that are put through the suite', () => {
  expect(block('ts')).toBe(read('./memory-driver.ts'))
  expect(block('js')).toBe(read('./memory-driver.spec.ts'))
})

it('shows a backend that can be mounted as it says', async () => {
  const ctx = await startApp()
  const storage = new MemoryStorage()
  await ctx.plugin(MemoryPersistence, { storage, writeDelayMs: 10 })
  const session = ctx.sessions.create('s')
  grow(session, 3)
  await ctx.sessions.flush(session)
  expect((await ctx.sessionPersistence.load('s')).events).toEqual(session.events)
  await ctx.fiber.dispose()
})
