import { expect, it } from 'vitest'
import { LogBuilder } from './support/log-builder.js'
import { TestRoot } from './support/root.js'
import { jsonLines, run } from './support/run.js'

/** A root with a session whose header cannot be read, whose id nobody could guess from the name that it is listed by. */
async function damagedRoot(): Promise<{ root: string; name: string }> {
  const at = new TestRoot()
  const id = `${'a long id '.repeat(9)}?`
  await at.store(id, new LogBuilder().prompt('Is anybody there?').answer('Yes.').end().events)
  await at.store('other', [])
  at.damage(id, bytes => bytes.fill(0x20, 0, 9))
  const { stdout } = await run('ls --ids --state corrupt', { root: at.path })
  return { root: at.path, name: stdout.trim() }
}

const idsOf = async (root: string, words = '') => (await run(`ls --ids ${words}`, { root })).stdout

it('shows a session whose header cannot be read by a name that the other commands take', async () => {
  const { root, name } = await damagedRoot()
  expect(name).toMatch(/^a-long-id-[a-z-]+-[0-9a-f]{32}$/)
  for (const [command, expected] of [
    ['verify', 1],
    ['show', 5],
    ['messages', 5],
    ['events', 5],
  ] as const) {
    const { code, stderr, stdout } = await run([command, name], { root })
    expect({ command, code }).toEqual({ command, code: expected })
    expect(stderr + stdout, command).toContain('header')
  }
})

it('salvages it by that name, into a session that opens', async () => {
  const { root, name } = await damagedRoot()
  const { code, stdout } = await run(['doctor', name, '--salvage', '--json'], { root })
  expect(code).toBe(1)
  const [diagnosis, report] = jsonLines(stdout)
  expect(diagnosis).toMatchObject({ id: name, findings: [{ kind: 'damage' }] })
  expect(report).toMatchObject({ salvaged: `${name}-salvaged`, lost: [], degraded: [] })
  const salvaged = `${name}-salvaged`
  expect(await run(['verify', salvaged], { root })).toMatchObject({ code: 0 })
  expect((await run(['messages', salvaged], { root })).stdout).toContain('Is anybody there?')
  expect((await idsOf(root)).split('\n').sort()).toEqual(['', name, salvaged, 'other'].sort())
})

it('removes it by that name', async () => {
  const { root, name } = await damagedRoot()
  expect(await run(['rm', name, '--yes'], { root })).toMatchObject({ code: 0, stdout: `${name}\n` })
  expect(await idsOf(root)).toBe('other\n')
})

it('takes it to the trash by that name, back, and out of the trash for good', async () => {
  const { root, name } = await damagedRoot()
  expect(await run(['trash', name], { root })).toMatchObject({ code: 0, stdout: `${name}\n` })
  expect(await idsOf(root, '--trash')).toBe(`${name}\n`)
  expect(await run(['restore', name], { root })).toMatchObject({ code: 0, stdout: `${name}\n` })
  await run(['trash', name], { root })
  expect(await run(['rm', '--trashed', name, '--yes'], { root })).toMatchObject({ code: 0, stdout: `${name}\n` })
  expect(await idsOf(root, '--trash')).toBe('')
  expect(await idsOf(root)).toBe('other\n')
})

it('empties the trash of it, alone and beside others of its id, with a line for each', async () => {
  const at = new TestRoot()
  const { path: root } = at
  for (const round of [1, 2, 3]) {
    await at.store('lost', [], { createdAt: round })
    if (round < 3) at.damage('lost', bytes => bytes.fill(0x20, 0, 9))
    await run(['trash', 'lost'], { root })
  }
  const listed = (await idsOf(root, '--trash')).split('\n').sort()
  expect(listed).toHaveLength(4)
  const { code, stdout, stderr } = await run('trash --empty --yes -q', { root })
  expect({ code, stderr, ids: stdout.split('\n').sort() }).toEqual({ code: 0, stderr: '', ids: listed })
  expect(await idsOf(root, '--trash')).toBe('')
})
