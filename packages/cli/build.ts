/**
 * Bundles the command with the packages of this repository, so that it starts at once: their hundred and more modules take
 * Node longer to find than to run. What the manifest depends on stays outside.
 */
import { renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type OutputOptions, rolldown } from 'rolldown'
import manifest from './package.json' with { type: 'json' }

const fresh = `.dist-${process.pid}`
const output: OutputOptions = {
  dir: fresh,
  format: 'esm',
  chunkFileNames: '[name].js',
  // What several commands share loads as one file.
  codeSplitting: { groups: [{ name: 'core', minShareCount: 3 }] },
}
const bundle = await rolldown({
  // The thread of a database is a file of its own, which the code that starts it expects beside itself.
  input: {
    bin: 'src/bin.ts',
    worker: fileURLToPath(new URL('worker.js', import.meta.resolve('@dsh/persistence-sqlite'))),
  },
  platform: 'node',
  external: Object.keys(manifest.dependencies),
})
try {
  await bundle.write(output)
  rmSync('dist', { recursive: true, force: true })
  renameSync(fresh, 'dist')
} finally {
  await bundle.close()
  rmSync(fresh, { recursive: true, force: true })
}
