import type { Session } from '@dsh/session'
import { type ImportedTranscript, type ImportOptions, importTranscript } from '@dsh/transcript-import'

/** Records as a file of lines. */
export function lines(...records: readonly unknown[]): string {
  return records.map(record => `${typeof record === 'string' ? record : JSON.stringify(record)}\n`).join('')
}

/** The transcript of a text, with its live session at hand. */
export async function read(text: string, options?: ImportOptions): Promise<ImportedTranscript & { session: Session }> {
  const imported = await importTranscript(text, options)
  return { ...imported, session: imported.sessions[0]! }
}
