/** Fails where a file of the repository names this machine or a package registry. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { formatProblem } from './docs/problem.ts'
import { findLeaks } from './leaks.ts'
import { root } from './workspace.ts'

const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
const files = execFileSync('git', listing, { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter(file => file !== '' && existsSync(join(root, file)))
const problems = files.flatMap(file => {
  const text = readFileSync(join(root, file), 'utf8')
  return text.includes('\0') ? [] : findLeaks(file, text, { root, home: homedir() })
})
for (const problem of problems) console.error(formatProblem(problem))
if (problems.length === 0) console.log(`leaks: none in ${files.length} files`)
else process.exitCode = 1
