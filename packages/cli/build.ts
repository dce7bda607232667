/**
 * Bundles the command with the packages of this repository, and with what Node would take longer to find than to run. What
 * the manifest depends on stays outside: what is native, what harnesses share with it, what is rarely needed.
 */
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
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
  plugins: [withoutPrograms(), builtins()],
})
try {
  await bundle.write({
    dir: fresh,
    format: 'esm',
    chunkFileNames: '[name].js',
    // A file takes longer to find than to read: what every call needs, what every look into a storage needs, and what
    // several commands share are one each.
    codeSplitting: {
      groups: [
        { name: 'start', test: /[\\/]cli[\\/]src[\\/]main\.ts$/ },
        { name: 'store', test: /[\\/](session-store|persistence-jsonl)[\\/]src[\\/]index\.ts$/ },
        { name: 'core', minShareCount: 3 },
      ],
    },
    banner: chunk => licences(chunk.moduleIds),
  })
  rmSync('dist', { recursive: true, force: true })
  renameSync(fresh, 'dist')
} finally {
  await bundle.close()
  rmSync(fresh, { recursive: true, force: true })
}

/** Leaves out what starts other programs, which the command framework could and this command never does. */
function withoutPrograms(): Plugin {
  const nothing = '\0nothing'
  return {
    name: 'without-programs',
    resolveId: id => (id === 'node:child_process' ? nothing : undefined),
    load: id => (id === nothing ? 'export default {}' : undefined),
  }
}

/**
 * Takes the modules of Node without import statements. Those have all that a module exports looked at, and with it
 * whatever Node loads only once somebody looks: a tenth of the time that a command takes to start.
 */
function builtins(): Plugin {
  return {
    name: 'builtins',
    renderChunk(code) {
      let taken = code
      for (const statement of this.parse(code).body.reverse()) {
        if (statement.type !== 'ImportDeclaration' || !isBuiltin(statement.source.value)) continue
        const module = `globalThis.process.getBuiltinModule(${JSON.stringify(statement.source.value)})`
        const constants = statement.specifiers.map(specifier =>
          specifier.type === 'ImportSpecifier'
            ? `const { ${code.slice(specifier.imported.start, specifier.imported.end)}: ${specifier.local.name} } = ${module};`
            : `const ${specifier.local.name} = ${module};`,
        )
        taken = taken.slice(0, statement.start) + constants.join(' ') + taken.slice(statement.end)
      }
      return taken
    },
  }
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
