/** Runs one task on one backend and prints its figures: `child.ts <backend> <root> <task> <input as JSON>`. */
import { type Mountable, mount } from './mount.ts'
import { tasks } from './tasks.ts'

const [name, root, task, input] = process.argv.slice(2) as [Mountable, string, string, string]
const backend = await mount(name, root)
const figures = await tasks[task]!(backend, JSON.parse(input))
console.log(JSON.stringify(figures))
await backend.close()
process.exit(0)
