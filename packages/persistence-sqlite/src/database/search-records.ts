import type { SearchHit, SearchOptions, SearchPage } from '@dsh/persistence/driver'
import { requireLimit } from '@dsh/persistence/driver'
import { formatQuery, parseQuery } from '../search/query.js'
import { formatSearchCursor, parseSearchCursor } from '../search/search-cursor.js'
import { makeSnippet } from '../search/snippet.js'
import { keyOf } from '../session-key.js'
import type { TextRow } from './index-records.js'
import { TEXT_COLUMNS, textOfRow } from './index-records.js'
import { roleOfType, typesOfRole } from './searchable.js'
import { idOf } from './session-row.js'
import type { Store } from './store.js'

export interface SearchArguments {
  readonly query: string
  readonly options: SearchOptions
}

const DEFAULT_LIMIT = 20

interface HitRow extends TextRow {
  readonly key: Uint8Array
}

/** A page of the texts that fit a query, best first. @throws INVALID_CONFIG, INVALID_BOUNDARY, STORAGE_FAILED */
export function searchRecords({ database }: Store, { query, options }: SearchArguments): SearchPage {
  const parsed = parseQuery(query)
  const limit = Math.min(requireLimit(options.limit ?? DEFAULT_LIMIT), Number.MAX_SAFE_INTEGER - 1)
  const place = options.cursor === undefined ? undefined : parseSearchCursor(options.cursor)
  return database.read({ purpose: 'search' }, () => {
    const lastId = place?.lastId ?? database.get<{ id: number | null }>('SELECT max(id) AS id FROM records')!.id ?? 0
    const offset = place?.offset ?? 0
    const types = typesOfRole(options.role)
    const { cwd } = options
    const rows = database.all<HitRow>(
      searchSql(types.length, cwd !== undefined),
      ...[formatQuery(parsed), lastId, ...types, ...(cwd === undefined ? [] : [keyOf(cwd)]), limit + 1, offset],
    )
    const hits = rows.slice(0, limit).map((row): SearchHit => {
      const text = textOfRow(row).normalize('NFC')
      const { seq, time, type } = row
      return { id: idOf(row), seq, time, role: roleOfType(type)!, ...makeSnippet(text, parsed) }
    })
    if (rows.length <= limit) return { hits }
    return { hits, cursor: formatSearchCursor({ offset: offset + limit, lastId }) }
  })
}

/** Ranks first, and reads only the texts that the page shows. */
function searchSql(types: number, byDirectory: boolean): string {
  return `
    WITH found AS MATERIALIZED (
      SELECT texts.rowid AS id, texts.rank AS rank, sessions.key AS key
      FROM texts
      JOIN records ON records.id = texts.rowid
      JOIN sessions ON sessions.no = records.session
      WHERE texts MATCH ? AND texts.rowid <= ? AND sessions.trashed = 0
        AND records.type IN (${Array(types).fill('?').join(', ')}) ${byDirectory ? 'AND sessions.cwd = ?' : ''}
      ORDER BY texts.rank, texts.rowid DESC LIMIT ? OFFSET ?
    )
    SELECT found.key, ${TEXT_COLUMNS} FROM found JOIN records ON records.id = found.id
    ORDER BY found.rank, found.id DESC
  `
}
