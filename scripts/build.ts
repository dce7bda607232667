/** Builds every package that changed, in the order of their dependencies; says nothing unless a build fails. */
import { run, tool } from './process.ts'

const { code, output } = await run(
  process.execPath,
  [tool('turbo'), 'run', 'build', '--output-logs=errors-only', '--log-order=grouped'],
  { env: { TURBO_TELEMETRY_DISABLED: '1' } },
)
if (code !== 0) process.stderr.write(output)
process.exitCode = code
