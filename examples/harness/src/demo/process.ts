/** One process of the demo: `process.ts <scene> <stage as JSON>`. */
import { branch } from './branch.ts'
import { outgrow } from './outgrow.ts'
import { recover } from './recover.ts'
import type { Stage } from './scene.ts'
import { talk } from './talk.ts'

const scenes = { talk, recover, outgrow, branch }

const [name, stage] = process.argv.slice(2)
await scenes[name as keyof typeof scenes](JSON.parse(stage!) as Stage)
// The parent's channel would keep the process alive.
process.disconnect?.()
