import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { watchFile } from '../../src/stack/watch-file.ts'
import { signal } from '../support/harness.ts'
import { directoryWith } from '../support/workspace.ts'

it.each([
  ['written', (file: string) => writeFileSync(file, 'two')],
  [
    'replaced',
    (file: string) => {
      writeFileSync(`${file}.new`, 'two')
      renameSync(`${file}.new`, file)
    },
  ],
  [
    'written in pieces',
    (file: string) => {
      for (const text of ['', 't', 'tw', 'two']) writeFileSync(file, text)
    },
  ],
])('tells once that a file was %s', async (_, change) => {
  const file = join(directoryWith({ 'a.yml': 'one', 'b.yml': 'one' }), 'a.yml')
  const { promise, reached } = signal()
  let calls = 0
  onTestFinished(
    watchFile(file, () => {
      calls++
      reached()
    }),
  )
  change(file)
  await promise
  expect(calls).toBe(1)
})

it('says nothing of other files, nor after its end', async () => {
  const directory = directoryWith({ 'a.yml': 'one', 'b.yml': 'one' })
  const told: string[] = []
  const { promise, reached } = signal()
  const stops = ['a.yml', 'b.yml'].map(name =>
    watchFile(join(directory, name), () => {
      told.push(name)
      reached()
    }),
  )
  stops[0]!()
  onTestFinished(stops[1]!)
  for (const name of ['a.yml', 'c.yml', 'b.yml']) writeFileSync(join(directory, name), 'two')
  await promise
  expect(told).toEqual(['b.yml'])
})
