import { readFileSync } from 'node:fs'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { run, tool } from '../process.ts'
import type { Tarball } from './pack.ts'

/** What is wrong with a tarball: its contents, its manifest (publint) and its typings (attw). */
export async function lintTarball(tarball: Tarball): Promise<string[]> {
  return [...checkContents(tarball), ...(await checkManifest(tarball)), ...(await checkTypings(tarball))]
}

function checkContents({ files }: Tarball): string[] {
  const allowed = /^(dist\/.+\.(js|d\.ts)|package\.json|README\.md|CHANGELOG\.md|LICENSE)$/
  const strangers = files.filter(file => !allowed.test(file)).map(file => `expected compiled sources, found ${file}`)
  const missing = ['LICENSE', 'README.md']
    .filter(file => !files.includes(file))
    .map(file => `expected a ${file}, found none`)
  return [...strangers, ...missing]
}

async function checkManifest({ file, manifest }: Tarball): Promise<string[]> {
  const bytes = readFileSync(file)
  const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const { messages } = await publint({ pack: { tarball }, strict: true })
  return messages.map(message => `publint: ${formatMessage(message, { ...manifest }, { color: false })}`)
}

async function checkTypings({ file }: Tarball): Promise<string[]> {
  const { code, output } = await run(process.execPath, [
    tool('@arethetypeswrong/cli', 'attw'),
    file,
    ...['--profile', 'esm-only', '--format', 'ascii', '--no-emoji', '--no-color', '--no-definitely-typed'],
  ])
  return code === 0 ? [] : [`attw:\n${output.trim()}`]
}
