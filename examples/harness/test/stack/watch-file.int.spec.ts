import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { watchFile } from '../../src/stack/watch-file.ts'
import { signal } from '../support/harness.ts'
import { directoryWith } from '../support/workspace.ts'

it.each([
  ['written', (file: string) => writeFileSync(file, 'other')],
  [
    'replaced',
    (file: string) => {
      writeFileSync(`${file}.new`, 'other')
      renameSync(`${file}.new`, file)
    },
  ],
  ['removed', (file: string) => rmSync(file)],
  [
    'removed and written in a directory that is removed and made again',
    (file: string) => {
      rmSync(dirname(file), { recursive: true })
      mkdirSync(dirname(file))
      writeFileSync(file, 'other')
    },
  ],
  [
    'written in pieces',
    (file: string) => {
      for (const text of ['', 'o', 'ot', 'other']) writeFileSync(file, text)
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
  for (const name of ['a.yml', 'c.yml', 'b.yml']) writeFileSync(join(directory, name), 'other')
  await promise
  expect(told).toEqual(['b.yml'])
})

it('follows a file for as long as its directory is away, and then again', async () => {
  const directory = directoryWith({ 'in/a.yml': 'one' })
  const file = join(directory, 'in', 'a.yml')
  let { promise, reached } = signal()
  onTestFinished(watchFile(file, () => reached()))
  for (const change of [
    () => renameSync(join(directory, 'in'), join(directory, 'away')),
    () => renameSync(join(directory, 'away'), join(directory, 'in')),
    () => writeFileSync(file, 'other'),
  ]) {
    ;({ promise, reached } = signal())
    change()
    await promise
  }
})

it('follows what a link leads to', async () => {
  const directory = directoryWith({ 'a.yml': 'one' })
  symlinkSync(join(directory, 'a.yml'), join(directory, 'link.yml'))
  const { promise, reached } = signal()
  onTestFinished(watchFile(join(directory, 'link.yml'), reached))
  writeFileSync(join(directory, 'a.yml'), 'other')
  await promise
})
