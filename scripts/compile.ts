/** Compiles the package in the working directory, into a new `dist`: a deleted source leaves nothing behind. */
import { rmSync } from 'node:fs'
import { run, tool } from './process.ts'

rmSync('dist', { recursive: true, force: true })
const { code, output } = await run(process.execPath, [tool('typescript', 'tsc'), '-p', 'tsconfig.build.json'], {
  cwd: process.cwd(),
})
process.stdout.write(output)
process.exitCode = code
