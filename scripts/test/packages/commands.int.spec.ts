import { expect, it } from 'vitest'
import { runCommands } from '../../packages/commands.ts'
import { scratch } from '../scratch.ts'

it('reports, under each Node, a command that fails or prints no help', async () => {
  const folder = scratch({
    'node_modules/tool/good.cjs': "if (process.argv[2] === '--help') console.log('Usage: good')",
    'node_modules/tool/quiet.cjs': '',
    'node_modules/tool/bad.cjs': "console.error('no'); process.exit(3)",
  })
  const bin = { good: 'good.cjs', quiet: 'quiet.cjs', bad: 'bad.cjs' }
  const problems = await runCommands(folder, [{ name: 'tool', version: '0.0.0', bin }])
  expect(problems).toEqual([
    'quiet --help under Node 22: expected help, found exit code 0 and: ',
    'quiet --help under Node 24: expected help, found exit code 0 and: ',
    'bad --help under Node 22: expected help, found exit code 3 and: no',
    'bad --help under Node 24: expected help, found exit code 3 and: no',
  ])
})
