import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sharedRoot, TestRoot, temporary } from '../support/root.js'
import { run } from '../support/run.js'

const shared = sharedRoot()

describe('path', () => {
  it('tells where a session is stored, and where all are', async () => {
    expect(await run('path demo', { root: shared.path })).toMatchObject({
      code: 0,
      stdout: `${shared.root.log('demo')}\n`,
    })
    expect(await run('path --json', { root: shared.path })).toMatchObject({ stdout: `{"path":"${shared.path}"}\n` })
  })

  it('tells where a session of a database is, in the form that its help explains', async () => {
    const cwd = temporary()
    await run('migrate demo --to x.sqlite', { root: shared.path, cwd })
    const { stdout } = await run('path demo --root x.sqlite', { cwd })
    const { href, hash } = new URL(stdout.trim())
    expect(fileURLToPath(href)).toBe(join(cwd, 'x.sqlite'))
    expect(hash).toBe('#%22demo%22')
    expect((await run('help path')).stdout).toContain('file:///x.sqlite#%22first%22')
  })

  it('tells the root without opening it', async () => {
    expect(await run('path', { cwd: '/nowhere', env: {} })).toMatchObject({
      code: 0,
      stdout: '/home/sam/.local/share/dsh-session\n',
    })
    expect(await run('path --root rel', { cwd: '/nowhere' })).toMatchObject({ stdout: '/nowhere/rel\n' })
  })

  it('says why it cannot tell where a session without a header is', async () => {
    const root = new TestRoot()
    await root.store('s', [])
    root.damage('s', bytes => bytes.fill(0x20))
    const [id] = (await run('ls --ids', { root: root.path })).stdout.split('\n')
    expect(await run(['path', id!], { root: root.path })).toMatchObject({ code: 5, stdout: '' })
  })
})
