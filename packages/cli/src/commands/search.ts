import { resolve } from 'node:path'
import type { SearchHit, SearchRole } from '@dsh/persistence'
import { defineCommand } from '../command.js'
import { isoTime, localTime } from '../format/time.js'
import { openSearch } from '../open-search.js'
import { flag, text, value } from '../option.js'
import { count, oneOf, usage } from '../parse-value.js'
import type { Output } from '../terminal/output.js'
import { bold, dim, type Text, yellow } from '../terminal/text.js'

const roles: readonly SearchRole[] = ['user', 'assistant', 'tool']

export default defineCommand({
  about:
    'Searches the texts of all sessions: what people and plugins wrote, what models answered, and what tools returned. ' +
    'All words must be there, in any order; "words in quotes" as they stand, a word* by its start, one of two as one OR ' +
    'other, and -word leaves out what has it. Beside a directory of logs lies an index, `.search.sqlite`, which is derived from ' +
    'them, brought up to date before each search, and can be deleted at any time.',
  json: '{ hits: [{ id, seq, time, role, snippet, matches: [[start, length]] }], cursor? }',
  args: [{ name: 'query', about: 'what to look for; several words are one query', takes: 'some' }],
  options: {
    limit: value('n', 'at most n hits', count('--limit', 1), { short: 'n', fallback: '20' }),
    cursor: text('cursor', 'go on where an earlier search ended'),
    cwd: text('dir', 'only in sessions of this working directory', { completes: 'directory' }),
    role: value('role', 'only words of: user, assistant or tool', oneOf('--role', roles), { completes: roles }),
    rebuild: flag('derive the index from the sessions anew before searching'),
  },
  examples: [
    { command: 'dsh-session search parser', about: 'Every text that speaks of a parser.' },
    {
      command: `dsh-session search '"longest file"' --role user --json`,
      about: 'What was asked in these words, for a program.',
    },
  ],
  async run(context, words, { cwd, rebuild, limit = 20, cursor, role }) {
    const { io, json, note, out } = context
    const query = words.join(' ')
    if (query.trim() === '') throw usage('search needs to know what to look for, and the query is empty')
    const search = await openSearch(context)
    try {
      if (rebuild) await search.rebuild()
      const page = await search.find(query, {
        limit,
        ...(cursor !== undefined && { cursor }),
        ...(role !== undefined && { role }),
        ...(cwd !== undefined && { cwd: resolve(io.cwd, cwd) }),
      })
      if (json) {
        out.json({ ...page, hits: page.hits.map(hit => ({ ...hit, time: isoTime(hit.time) })) })
        return 0
      }
      for (const hit of page.hits) printHit(out, hit)
      if (page.hits.length === 0) note('nothing was found')
      if (page.cursor !== undefined) note(`there are more: --cursor '${page.cursor}'`)
      return 0
    } finally {
      await search.close()
    }
  },
})

function printHit(out: Output, { id, seq, time, role, snippet, matches }: SearchHit): void {
  out.clipped([bold(id), dim(`  #${seq}  ${role}  ${localTime(time)}`)])
  out.clipped(['  ', ...highlight(snippet, matches)])
}

function highlight(snippet: string, matches: SearchHit['matches']): Text[] {
  const pieces: Text[] = []
  let at = 0
  for (const [start, length] of matches) {
    pieces.push(oneLine(snippet.slice(at, start)), yellow(oneLine(snippet.slice(start, start + length))))
    at = start + length
  }
  return [...pieces, oneLine(snippet.slice(at))]
}

/** Line breaks of a text are spaces where it is shown on one line. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
