import { join } from 'node:path'
import { inParallel, run } from '../process.ts'
import type { Manifest } from '../workspace.ts'
import { nodes } from './nodes.ts'

/** Asks each command of the packages, in the project at `folder` and under every supported Node, for its help. */
export async function runCommands(folder: string, manifests: readonly Manifest[]): Promise<string[]> {
  const trials = manifests.flatMap(({ name, bin }) =>
    Object.entries(bin ?? {}).flatMap(([command, path]) =>
      nodes.map(node => ({ command, file: join(folder, 'node_modules', name, path), node })),
    ),
  )
  const results = await inParallel(trials, async ({ command, file, node }) => {
    const { code, output } = await run(node.path, [file, '--help'], { cwd: folder, timeout: 20_000 })
    if (code === 0 && output.trim() !== '') return []
    return [`${command} --help under ${node.line}: expected help, found exit code ${code} and: ${output.trim()}`]
  })
  return results.flat()
}
