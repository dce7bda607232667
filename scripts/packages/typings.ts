import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inParallel, run, tool } from '../process.ts'
import type { Entry } from './entries.ts'

interface Trial {
  readonly name: string
  readonly files: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
}

// The packages without peers are free of errors down to their typings; those of cordis need `skipLibCheck`.
const trials: readonly Trial[] = [
  { name: 'nodenext', files: ['entries.ts', 'extend.ts'], options: { module: 'nodenext', skipLibCheck: true } },
  {
    name: 'bundler',
    files: ['entries.ts', 'extend.ts'],
    options: { module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true },
  },
  { name: 'complete', files: ['extend.ts'], options: { module: 'nodenext', skipLibCheck: false } },
]

/** Compiles, in the project at `folder`, an import of each entry and the extensions of the fixture; gives what is wrong. */
export async function checkConsumerTypes(folder: string, entries: readonly Entry[]): Promise<string[]> {
  const imports = entries.map(({ specifier }, index) => `export * as entry${index} from '${specifier}'\n`)
  writeFileSync(join(folder, 'entries.ts'), imports.join(''))
  const results = await inParallel(trials, async ({ name, files, options }) => {
    const config = join(folder, `tsconfig.${name}.json`)
    const compilerOptions = { target: 'es2024', lib: ['es2024'], types: [], strict: true, noEmit: true, ...options }
    writeFileSync(config, JSON.stringify({ compilerOptions, files }))
    const { code, output } = await run(
      process.execPath,
      [tool('typescript', 'tsc'), '--pretty', 'false', '-p', config],
      {
        cwd: folder,
      },
    )
    return code === 0 ? [] : [`typings in a project with ${JSON.stringify(options)}:\n${output.trim()}`]
  })
  return results.flat()
}
