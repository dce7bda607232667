/** Runs every gate, also after one has failed, and shows the output of those that fail. */
import { run, tool } from './process.ts'

interface Gate {
  readonly name: string
  readonly script: string
  readonly args?: readonly string[]
}

const gates: readonly Gate[] = [
  { name: 'build', script: 'scripts/build.ts' },
  { name: 'types', script: tool('typescript', 'tsc'), args: ['--noEmit', '--project', 'tsconfig.json'] },
  { name: 'lint and format', script: tool('@biomejs/biome', 'biome'), args: ['check', '--error-on-warnings', '.'] },
  { name: 'dead exports', script: tool('knip'), args: ['--no-config-hints'] },
  { name: 'leaks', script: 'scripts/check-leaks.ts' },
  { name: 'generated pages', script: 'scripts/gen-catalog.ts', args: ['--check'] },
  { name: 'documents', script: 'scripts/verify-docs.ts' },
  { name: 'packages', script: 'scripts/check-packages.ts' },
]

let failures = 0
for (const { name, script, args = [] } of gates) {
  const start = performance.now()
  const { code, output } = await run(process.execPath, [script, ...args])
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  if (code === 0) continue
  failures++
  console.log(output.trimEnd().replace(/^/gm, '  '))
}
if (failures > 0) {
  console.log(`${failures} of ${gates.length} gates failed`)
  process.exitCode = 1
}
