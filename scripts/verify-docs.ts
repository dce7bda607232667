/** Fails, with file and line, when a page says something that is not so. The packages must be built. */
import { formatProblem } from './docs/problem.ts'
import { verifyDocs } from './docs/verify.ts'
import { root } from './workspace.ts'

const { problems, pages, snippets } = await verifyDocs(root)
for (const problem of problems) console.error(formatProblem(problem))
if (problems.length === 0) console.log(`docs: ${pages} pages and ${snippets} blocks of code are right`)
else process.exitCode = 1
