import { expect, it } from 'vitest'
import { nodes } from '../../packages/nodes.ts'
import { run } from '../../process.ts'

it('offers both lines of Node that the packages support', async () => {
  const versions = await Promise.all(
    nodes.map(async ({ path }) => (await run(path, ['--version'])).stdout.split('.')[0]),
  )
  expect(versions).toEqual(['v22', 'v24'])
})
