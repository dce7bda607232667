import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../process.ts'
import { root } from '../workspace.ts'
import { scratch } from './scratch.ts'

const script = join(root, 'scripts', 'compile.ts')
const config = JSON.stringify({ extends: join(root, 'tsconfig.build.json') })

it('leaves nothing behind of a source that was deleted', async () => {
  const folder = scratch({ 'tsconfig.build.json': config, 'src/a.ts': 'export const a = 1\n', 'dist/gone.js': '' })
  expect(await run(process.execPath, [script], { cwd: folder })).toMatchObject({ code: 0, output: '' })
  expect(readdirSync(join(folder, 'dist')).sort()).toEqual(['a.d.ts', 'a.js'])
})

it('fails with the words of the compiler', async () => {
  const folder = scratch({ 'tsconfig.build.json': config, 'src/a.ts': 'export const a: string = 1\n' })
  const { code, output } = await run(process.execPath, [script], { cwd: folder })
  expect({ failed: code !== 0, output }).toEqual({
    failed: true,
    output: expect.stringContaining('src/a.ts(1,14): error TS2322'),
  })
})
