import { run } from '../process.ts'
import { type Package, readPackages } from '../workspace.ts'

/** A published package as it would be uploaded. */
export interface Tarball extends Package {
  readonly file: string
  /** Paths inside the tarball. */
  readonly files: readonly string[]
}

/** Packs every package of the repository at `base` that is not private. */
export async function packAll(base: string, destination: string): Promise<Tarball[]> {
  const published = readPackages(base).filter(({ manifest }) => manifest.private !== true)
  const filters = published.flatMap(({ manifest }) => ['--filter', manifest.name])
  const { code, stdout, output } = await pnpm(
    ['--recursive', ...filters, 'pack', '--json', '--pack-destination', destination],
    base,
  )
  if (code !== 0) throw new Error(`pnpm pack failed:\n${output}`)
  const packed: { name: string; filename: string; files: { path: string }[] }[] = JSON.parse(stdout)
  return published.map(member => {
    const tarball = packed.find(({ name }) => name === member.manifest.name)
    if (tarball === undefined) throw new Error(`expected a tarball of ${member.manifest.name}, found none`)
    return { ...member, file: tarball.filename, files: tarball.files.map(({ path }) => path) }
  })
}

/** Runs the pnpm that runs this script, or the one that the registry gives where there is none. */
export function pnpm(args: readonly string[], cwd: string) {
  const running = process.env.npm_execpath
  const isPnpm = running !== undefined && /pnpm/.test(running)
  if (!isPnpm) return run('npx', ['-y', 'pnpm@12', ...args], { cwd })
  return /\.[cm]?js$/.test(running) ? run(process.execPath, [running, ...args], { cwd }) : run(running, args, { cwd })
}
