/** The end of the demo: what a person can type to look at what is stored. */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { databaseIn } from '../backends.ts'
import type { Screen } from '../terminal/screen.ts'
import type { Stage } from './scene.ts'

const pnpm = 'npx -y pnpm@12'

/** Shows the commands. `log` is the path of the session's log where it has one of its own. */
export function look(screen: Screen, { directory, sessions, backend, id }: Stage, log: string): void {
  const here = (path: string) => relative(directory, path)
  const command = (line: string) => screen.line(`  ${screen.style('green', `$ ${line}`)}`)
  const cli = here(fileURLToPath(new URL('../../../../packages/cli/dist/bin.js', import.meta.url)))
  const root = here(backend === 'jsonl' ? sessions : databaseIn(sessions))
  const dshSession = (line: string) => command(`${pnpm} exec node ${cli} ${line} --root ${root}`)

  if (backend === 'jsonl') {
    screen.line('The log, one line for each event or run of stream deltas:')
    screen.line(`  ${here(log)}`)
    command(`cut -c 1-140 ${here(log)} | head -20`)
    command(`grep -c '"type":"tool/call"' ${here(log)}`)
    command(`grep '"type":"turn/end"' ${here(log)}`)
  } else {
    screen.line('The database, one row for each event or run of stream deltas, and what was said in it:')
    screen.line(`  ${root}`)
    dshSession('search export class')
  }
  screen.line('Its outline, and what the model sees, through the command of this project:')
  dshSession(`show ${id}`)
  dshSession(`messages ${id}`)
  screen.line('The session itself:')
  command(`${pnpm} chat ${backend === 'jsonl' ? '' : `--backend ${backend} `}--resume ${id}`)
}
