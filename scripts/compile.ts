/**
 * Compiles the package in the working directory beside its `dist` and puts the result in its place when it is whole: a
 * deleted source leaves nothing behind, and whoever runs the package meanwhile finds it complete.
 */
import { renameSync, rmSync } from 'node:fs'
import { run, tool } from './process.ts'

const fresh = `.dist-${process.pid}`
const { code, output } = await run(
  process.execPath,
  [tool('typescript', 'tsc'), '-p', 'tsconfig.build.json', '--outDir', fresh],
  { cwd: process.cwd() },
)
process.stdout.write(output)
process.exitCode = code
if (code === 0) {
  rmSync('dist', { recursive: true, force: true })
  renameSync(fresh, 'dist')
} else rmSync(fresh, { recursive: true, force: true })
