import { join } from 'node:path'
import { inParallel, run } from '../process.ts'
import type { Manifest } from '../workspace.ts'
import { nodes } from './nodes.ts'

/** A way to import a package. */
export interface Entry {
  /** What stands behind `from`. */
  readonly specifier: string
  readonly manifest: Manifest
}

/** What came of importing the entries: what is wrong, and what was left out for lack of an optional peer. */
export interface ImportReport {
  readonly problems: readonly string[]
  readonly skipped: readonly string[]
}

/** Every module that a package exports. */
export function entriesOf(manifest: Manifest): Entry[] {
  return Object.keys(manifest.exports ?? {})
    .filter(path => !path.endsWith('.json') && !path.includes('*'))
    .map(path => ({ specifier: join(manifest.name, path).replaceAll('\\', '/'), manifest }))
}

/** Imports each entry alone, in the project at `folder`, under every supported Node; it must print nothing. */
export async function importEntries(folder: string, entries: readonly Entry[]): Promise<ImportReport> {
  const trials = entries.flatMap(entry => nodes.map(node => ({ ...node, entry })))
  const results = await inParallel(trials, async ({ entry, line, path }) => {
    const code = `await import(${JSON.stringify(entry.specifier)})`
    const outcome = await run(path, ['--input-type=module', '--eval', code], { cwd: folder, timeout: 20_000 })
    return { entry, line, outcome }
  })
  const problems: string[] = []
  const skipped = new Set<string>()
  for (const { entry, outcome, line } of results) {
    if (outcome.code === 0 && outcome.output === '') continue
    const peer = missingOptionalPeer(entry.manifest, outcome.output)
    if (peer === undefined) problems.push(`import of ${entry.specifier} under ${line}: ${summarise(outcome.output)}`)
    else skipped.add(`${entry.specifier} needs the optional peer ${peer}`)
  }
  return { problems, skipped: [...skipped] }
}

/** The error itself where there is one, without the code and the stack around it. */
function summarise(output: string): string {
  return /^\w*Error\b.*$/m.exec(output)?.[0] ?? output.trim()
}

function missingOptionalPeer(manifest: Manifest, output: string): string | undefined {
  const [, name] = /Cannot find package '([^']+)'/.exec(output) ?? []
  return name !== undefined && manifest.peerDependenciesMeta?.[name]?.optional === true ? name : undefined
}
