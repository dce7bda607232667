/**
 * Packs every published package, checks the tarballs, installs them into an empty project, and there imports and
 * compiles what they export. The packages must be built.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommands } from './packages/commands.ts'
import { installConsumer } from './packages/consumer.ts'
import { entriesOf, importEntries } from './packages/entries.ts'
import { lintTarball } from './packages/lint.ts'
import { packAll } from './packages/pack.ts'
import { checkConsumerTypes } from './packages/typings.ts'
import { inParallel, run } from './process.ts'
import { root } from './workspace.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'packages-')))
try {
  const tarballs = await packAll(root, folder)
  const lints = await inParallel(tarballs, async tarball =>
    (await lintTarball(tarball)).map(problem => `${tarball.manifest.name}: ${problem}`),
  )
  const consumer = join(folder, 'consumer')
  await installConsumer(consumer, tarballs)
  const entries = tarballs.flatMap(({ manifest }) => entriesOf(manifest))
  const { problems, skipped } = await importEntries(consumer, entries)
  const commands = await runCommands(
    consumer,
    tarballs.map(({ manifest }) => manifest),
  )
  const typings = await checkConsumerTypes(consumer, entries)
  const extension = await run(process.execPath, ['extend.ts'], { cwd: consumer })
  const failed = extension.code === 0 ? [] : [`the extensions at run time: ${extension.output.trim()}`]
  const found = [...lints.flat(), ...problems, ...commands, ...typings, ...failed]
  for (const problem of found) console.error(problem)
  for (const reason of skipped) console.log(`not imported: ${reason}`)
  if (found.length === 0)
    console.log(`packages: ${tarballs.length} tarballs and their ${entries.length} entries are right`)
  else process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
