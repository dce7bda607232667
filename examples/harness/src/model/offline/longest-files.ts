import type { Part, PlannedCall } from './action.ts'
import { perform, performOne } from './perform.ts'

const sources = '**/*.{ts,mts,js,mjs,tsx,jsx}'
const isTest = (name: string) => /(^|\/)(test|tests|fixtures)\/|\.(spec|test|d)\.\w+$/.test(name)

/** Finds the longest source files and says what each exports. */
export function* longestFiles(count: number): Part<string> {
  const listing = yield* performOne(
    'I list the source files first.',
    { tool: 'list_files', args: { pattern: sources, by: 'lines', limit: 50 } },
    'The listing is sorted by length. Tests are not what was asked for.',
  )
  if (listing.isError) return `The files cannot be listed: ${listing.text}`
  const [, ...listed] = listing.text.split('\n')
  const names = listed.map(line => line.replace(/^\d+ /, '')).filter(name => !name.startsWith('…') && !isTest(name))
  const files = names.slice(0, count)
  if (files.length === 0) return 'There are no source files here.'
  const calls = files.flatMap((path): PlannedCall[] => [
    { tool: 'read_file', args: { path, lines: 1 } },
    { tool: 'search_files', args: { pattern: '^export ', files: path } },
  ])
  const results = yield* perform({ say: `I look into the ${files.length} longest.`, calls })
  const lines = files.map((path, at) => {
    const length = /, (\d+) lines/.exec(results[at * 2]!.text)?.[1] ?? 'an unknown number of'
    return `${at + 1}. ${path}, ${length} lines: ${exportsOf(results[at * 2 + 1]!.text)}`
  })
  return [`The ${files.length} longest source files:`, ...lines].join('\n')
}

const declaration =
  /: export (?:declare |default |abstract |async )*(class|function|const|let|interface|type|enum)\b\*?\s*(\w+)/g

function exportsOf(matches: string): string {
  const found = [...matches.matchAll(declaration)].map(([, kind, name]) => `${kind} ${name}`)
  const again = matches.match(/: export [*{]/g)?.length ?? 0
  if (again > 0) found.push(`${again} re-export${again === 1 ? '' : 's'}`)
  const shown = found.slice(0, 6)
  if (found.length > shown.length) shown.push(`${found.length - shown.length} more`)
  return shown.length === 0 ? 'no exports' : `exports ${shown.join(', ')}`
}
