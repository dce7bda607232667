import type { ListEntry } from '@dsh/persistence/driver'
import { formatCursor } from '@dsh/persistence/driver'

/** The cursor after a listed session. Sessions of one id are apart in the trash alone, by their number there. */
export function cursorAfter(entry: Pick<ListEntry, 'lastTime' | 'id'>, trashed: number): string {
  return formatCursor(entry, trashed > 0 ? trashed : undefined)
}
