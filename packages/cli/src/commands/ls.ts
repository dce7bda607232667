import { resolve } from 'node:path'
import type { SessionListing, SessionQuery } from '@dsh/persistence'
import { type CommandContext, defineCommand } from '../command.js'
import { bytes, number } from '../format/number.js'
import { isoTime, localTime } from '../format/time.js'
import { flag, text, value } from '../option.js'
import { count, oneOf, time, timeForms, usage } from '../parse-value.js'
import { type Column, layOutTable } from '../terminal/table.js'
import { dim, red, type Text, yellow } from '../terminal/text.js'

const states = ['ok', 'unfinished', 'corrupt'] as const

const columns: readonly Column[] = [
  { title: 'ID', least: 12 },
  { title: 'LAST EVENT' },
  { title: 'STATE' },
  { title: 'EVENTS', align: 'right', leaves: 2 },
  { title: 'TURNS', align: 'right', leaves: 3 },
  { title: 'SIZE', align: 'right', leaves: 4 },
  { title: 'DIRECTORY', least: 12, cut: 'start', leaves: 1 },
  { title: 'TITLE', least: 28 },
]

export default defineCommand({
  about:
    'Lists the stored sessions, those with the latest events first. A session is unfinished when a turn of it is open ' +
    'or its last write was cut off, and corrupt when it cannot be read.',
  json:
    '{ sessions: [{ id, state, createdAt, lastTime, events, turns?, title?, bytes?, cwd?, parentSession?, seedLength?, ' +
    'delegationDepth?, error? }], cursor? }',
  options: {
    limit: value('n', 'list at most n sessions', count('--limit', 1), { fallback: '50', short: 'n' }),
    all: flag('list all of them', { short: 'a' }),
    cursor: text('cursor', 'go on where an earlier list ended'),
    oldest: flag('begin with the session that has been quiet for longest'),
    cwd: text('dir', 'only sessions of this working directory', { completes: 'directory' }),
    parent: text('id', 'only forks and delegations of this session', { completes: 'session' }),
    state: value('state', 'only sessions that are ok, unfinished or corrupt', oneOf('--state', states), {
      completes: states,
    }),
    since: text('time', `only sessions with an event since then: ${timeForms}`),
    trash: flag('list the trash instead'),
    ids: flag('print ids only, one on a line'),
  },
  examples: [
    { command: 'dsh-session ls', about: 'The 50 sessions that were last at work.' },
    { command: 'dsh-session ls --cwd . --since 7d', about: 'Those of this directory with an event in the last week.' },
    { command: 'dsh-session ls --state corrupt --all --json', about: 'Every damaged session, for a program.' },
  ],
  async run(context, _args, options) {
    const { io, out } = context
    if (options.all && options.limit !== undefined) throw usage('--all and --limit exclude each other')
    const limit = options.all ? Number.POSITIVE_INFINITY : (options.limit ?? 50)
    const since = options.since === undefined ? undefined : time('--since', io.now)(options.since)
    const query: SessionQuery = {
      order: options.oldest ? 'oldest' : 'newest',
      details: !options.ids,
      ...(options.cwd !== undefined && { cwd: resolve(io.cwd, options.cwd) }),
      ...(options.parent !== undefined && { parent: options.parent as NonNullable<SessionQuery['parent']> }),
      ...(options.trash && { trashed: true }),
    }
    const matches = ({ state, lastTime }: SessionListing) =>
      (options.state === undefined || state === options.state) && (since === undefined || lastTime >= since)
    // From the newest on, nothing behind a session that is too old can match.
    const isBehind = ({ lastTime }: SessionListing) => !options.oldest && since !== undefined && lastTime < since
    const search = { limit, cursor: options.cursor, matches, isBehind }
    const { entries, cursor } = await find(context, query, search)
    if (context.json) out.json({ sessions: entries.map(toJson), ...(cursor !== undefined && { cursor }) })
    else if (options.ids) for (const { id } of entries) out.line(id)
    else if (entries.length > 0)
      for (const line of layOutTable(columns, entries.map(toRow), out.columns)) out.line(line)
    if (entries.length === 0) context.note(`no sessions in ${context.place.root}`)
    if (cursor !== undefined && !context.json) context.note(`there are more: --cursor '${cursor}', or --all`)
    return 0
  },
})

interface Search {
  readonly limit: number
  readonly cursor: string | undefined
  readonly matches: (entry: SessionListing) => boolean
  /** Whether no further session can match. */
  readonly isBehind: (entry: SessionListing) => boolean
}

const PAGE = 200

/** Pages through the storage until enough sessions match. */
async function find(context: CommandContext, query: SessionQuery, { limit, cursor: start, matches, isBehind }: Search) {
  const { persistence } = await context.store()
  const progress = context.progress()
  const entries: SessionListing[] = []
  let cursor = start
  do {
    context.signal.throwIfAborted()
    const size = Math.min(PAGE, limit - entries.length)
    const page = await persistence.list({ ...query, limit: size, ...(cursor !== undefined && { cursor }) })
    entries.push(...page.entries.filter(matches))
    cursor = page.entries.some(isBehind) ? undefined : page.cursor
    progress.update(`${entries.length} sessions`)
  } while (cursor !== undefined && entries.length < limit)
  return { entries, cursor }
}

function toRow(entry: SessionListing): Text[] {
  const { id, header, state, lastTime, nextSeq, turns, bytes: size, title, error } = entry
  return [
    id,
    header === undefined ? '' : localTime(lastTime).slice(0, -3),
    state === 'ok' ? dim(state) : state === 'corrupt' ? red(state) : yellow(state),
    header === undefined ? '' : number(nextSeq),
    turns === undefined ? '' : number(turns),
    size === undefined ? '' : bytes(size),
    header?.cwd ?? '',
    title ?? (error === undefined ? '' : dim(error.message)),
  ]
}

function toJson({ id, header, nextSeq, lastTime, state, error, bytes, title, turns }: SessionListing) {
  const { version: _, id: __, createdAt, ...lineage } = header ?? {}
  return {
    id,
    state,
    ...(createdAt !== undefined && { createdAt: isoTime(createdAt), lastTime: isoTime(lastTime) }),
    events: nextSeq,
    turns,
    title,
    bytes,
    ...lineage,
    error: error?.message,
  }
}
