import { join } from 'node:path'
import { root } from '../workspace.ts'

/** The lines of Node that the packages support, from the development dependencies: packages that carry a binary. */
export const nodes = ['node22', 'node'].map(name => ({
  line: name === 'node22' ? 'Node 22' : 'Node 24',
  path: join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'),
}))
