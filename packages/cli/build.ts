/**
 * Bundles the command with the packages of this repository, and with what Node would take longer to find than to run. What
 * the manifest depends on stays outside: what is native, what harnesses share with it, what is rarely needed.
 */
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import manifest from './package.json' with { type: 'json' }

const fresh = `.dist-${process.pid}`
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
  await bundle.write({
    dir: fresh,
    format: 'esm',
    chunkFileNames: '[name].js',
    // What several commands share loads as one file.
    codeSplitting: { groups: [{ name: 'core', minShareCount: 3 }] },
    banner: chunk => licences(chunk.moduleIds),
  })
  rmSync('dist', { recursive: true, force: true })
  renameSync(fresh, 'dist')
} finally {
  await bundle.close()
  rmSync(fresh, { recursive: true, force: true })
}

/** The licences of the packages of others that a chunk holds code of, as those want it. */
function licences(modules: readonly string[]): string {
  const folders = modules.flatMap(file => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file) ?? [])
  const texts = [...new Set(folders)].map(folder => {
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
    return `/*!\nThis file contains ${name}.\n\n${readFileSync(`${folder}/LICENSE`, 'utf8').trim()}\n*/\n`
  })
  return texts.join('')
}
