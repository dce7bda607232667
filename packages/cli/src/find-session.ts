import type { SessionListing, SessionPersistence, SessionQuery } from '@dsh/persistence'
import { isSessionError, SessionError } from '@dsh/session'
import { CliError } from './error.js'
import { visible } from './terminal/visible.js'

/** Names the session with the latest activity. An id that reads the same goes first. */
export const LATEST = '@latest'

const PAGE = 1_000

/** Every stored session that a query finds, page by page. */
export async function* listAll(
  persistence: SessionPersistence,
  query: SessionQuery = {},
): AsyncGenerator<SessionListing> {
  let cursor: string | undefined
  do {
    const page = await persistence.list({ limit: PAGE, ...query, ...(cursor !== undefined && { cursor }) })
    yield* page.entries
    cursor = page.cursor
  } while (cursor !== undefined)
}

/**
 * The stored session that a person means: by its id, its id as it is shown, the start of one, or {@link LATEST}.
 * @throws SESSION_NOT_FOUND; AMBIGUOUS_ID when several ids start like that
 */
export async function findSession(
  persistence: SessionPersistence,
  name: string,
  query: Pick<SessionQuery, 'trashed'> = {},
): Promise<SessionListing> {
  const { exact, latest, starting } = await lookUp(persistence, name, query)
  if (exact !== undefined) return exact
  if (name === LATEST && latest !== undefined) return latest
  if (starting.length === 1) return query.trashed ? starting[0]! : withTrueId(persistence, starting[0]!)
  if (starting.length > 1) throw ambiguous(name, starting)
  throw new SessionError('SESSION_NOT_FOUND', {
    expected: query.trashed ? 'a session in the trash' : 'a stored session',
    found: 'none whose id is this or starts like it',
    session: name,
  })
}

/** The stored sessions that a person means, or all of them where none is named. @throws as {@link findSession} */
export async function findSessions(
  persistence: SessionPersistence,
  names: readonly string[],
): Promise<readonly SessionListing[]> {
  const entries: SessionListing[] = []
  if (names.length === 0) {
    for await (const entry of listAll(persistence)) entries.push(await withTrueId(persistence, entry))
  }
  for (const name of names) entries.push(await findSession(persistence, name))
  return entries
}

/**
 * The session with exactly this id, written as it is or as it is shown: for what cannot be undone.
 * @throws SESSION_NOT_FOUND
 */
export async function findExactSession(
  persistence: SessionPersistence,
  name: string,
  query: Pick<SessionQuery, 'trashed'> = {},
): Promise<SessionListing> {
  const { exact } = await lookUp(persistence, name, query)
  if (exact !== undefined) return exact
  throw new SessionError('SESSION_NOT_FOUND', {
    expected: `the whole id of ${query.trashed ? 'a session in the trash' : 'a stored session'}`,
    found: 'none',
    session: name,
  })
}

/** What a name may mean. */
interface Candidates {
  readonly exact: SessionListing | undefined
  readonly latest?: SessionListing | undefined
  /** Those whose ids, as they are shown, begin with the name. */
  readonly starting: readonly SessionListing[]
}

async function lookUp(
  persistence: SessionPersistence,
  name: string,
  query: Pick<SessionQuery, 'trashed'>,
): Promise<Candidates> {
  // An id that was cut for a table ends with an ellipsis.
  const start = name.replace(/(?<=.)…$/u, '')
  let shown: SessionListing | undefined
  let latest: SessionListing | undefined
  let hasUnreadable = false
  const starting: SessionListing[] = []
  for await (const entry of listAll(persistence, query)) {
    if (entry.id === name) return { exact: entry, starting: [] }
    const text = visible(entry.id)
    latest ??= entry
    hasUnreadable ||= entry.header === undefined
    if (text === name) shown ??= entry
    else if (start !== '' && text.startsWith(start)) starting.push(entry)
  }
  // By an id that a list does not show, only what is stored can be found.
  const mayBeUnreadable = hasUnreadable && query.trashed !== true
  const exact = shown ?? (mayBeUnreadable ? await findUnreadable(persistence, name) : undefined)
  return { exact, latest, starting }
}

/**
 * A session whose header cannot be read is listed by what it is stored under, and not by its id. That often is the id with
 * a hash behind it, which leads to the session when it is tried.
 */
async function withTrueId(persistence: SessionPersistence, entry: SessionListing): Promise<SessionListing> {
  const [, id] = /^(.+)-[0-9a-f]{32}$/.exec(entry.id) ?? []
  if (entry.header !== undefined || id === undefined) return entry
  return (await findUnreadable(persistence, id)) ?? entry
}

/** The session with exactly this id, if it is stored, whatever can be read of it. */
async function findUnreadable(persistence: SessionPersistence, id: string): Promise<SessionListing | undefined> {
  if (id === '') return undefined
  try {
    const { error, header, events } = await persistence.verify(id)
    const known = { id: id as SessionListing['id'], nextSeq: events, lastTime: 0, ...(header && { header }) }
    return error === undefined ? { ...known, state: 'ok' } : { ...known, state: 'corrupt', error }
  } catch (error) {
    if (!isSessionError(error)) throw error
    if (error.code === 'SESSION_NOT_FOUND') return undefined
    return { id: id as SessionListing['id'], nextSeq: 0, lastTime: 0, state: 'corrupt', error }
  }
}

function ambiguous(name: string, entries: readonly SessionListing[]): CliError {
  const ids = entries.slice(0, 3).map(({ id }) => id)
  const more = entries.length - ids.length
  const rest = more > 0 ? ` and ${more} more` : ''
  return new CliError('AMBIGUOUS_ID', `${JSON.stringify(name)} fits ${ids.join(', ')}${rest}`)
}
