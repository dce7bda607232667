import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { exampleRoot } from './support/root.js'
import { run } from './support/run.js'
import { splitWords } from './support/words.js'
import { useZone } from './support/zone.js'

useZone()

// What changes the root comes last.
const commands = [
  'help',
  'help ls',
  'ls',
  'ls --oldest -n 2',
  'ls --trash',
  'show demo',
  'show demo-fork --turns 1 --depth steps',
  'messages demo --last 4',
  'messages demo --at 6 --request',
  "events demo --type 'tool/*'",
  'tail demo -n 3',
  'diff demo demo-fork',
  'diff demo@4 @7 --events',
  'stats',
  'stats demo-fork',
  'verify',
  'doctor',
  'path demo',
  'show nothing',
  'show broken',
  'ls --limit none',
  'fork demo --as demo-again',
  'doctor broken --salvage',
  'import chat.json --as chat',
  'migrate demo scratch --to copy',
  'trash scratch',
  'restore discarded',
  'rm demo-again --yes',
  'trash scratch',
  'trash --empty --dry-run',
  'rm --trashed scratch --yes',
  'trash --empty --yes',
  'help trash',
]

it.each([60, 140])('prints what it always did at %d columns', async columns => {
  const root = await exampleRoot()
  const cwd = dirname(root.path)
  const chat = {
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hello.' },
    ],
  }
  writeFileSync(join(cwd, 'chat.json'), JSON.stringify(chat))
  let text = ''
  for (const command of commands) {
    const { code, stdout, stderr } = await run(splitWords(command), {
      root: root.path,
      cwd,
      columns,
      env: { NO_COLOR: '1' },
    })
    text += `$ dsh-session ${command}\n${stdout}${stderr}${code === 0 ? '' : `[exit code ${code}]\n`}\n`
  }
  await expect(hideFolder(text, cwd)).toMatchFileSnapshot(`golden/${columns}-columns.txt`)
})

/** A folder has another name each time. What depends on how long it is, is left out. */
function hideFolder(text: string, folder: string): string {
  return text.replaceAll(folder, '<folder>')
}
