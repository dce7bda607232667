import { type Detected, detect, type SourceLimits } from './detect.js'
import type { ImportOptions } from './import-options.js'
import { type ImportReport, ImportTally, type SessionReport } from './report.js'
import { type Batch, type ImportStep, runSessions } from './run-sessions.js'
import { openSource, type TranscriptSource } from './source/chunks.js'
import { documentDamage, documentRecords } from './source/document-records.js'
import { LineReader } from './source/line-records.js'
import { splitLines } from './source/lines.js'
import { isDamaged } from './source/record.js'

/**
 * Imports a transcript bit by bit: what is in memory at a time is a piece of the file and what reading on needs, which
 * grows with the number of records and not with their size. Sessions take turns; a branch comes when the session that
 * it branches off is complete. The events are those that `importTranscript` gives.
 * @returns the report, when all is read
 * @throws FORMAT_UNSUPPORTED when the content is none of the formats, UNSUPPORTED for a JSON document above the limit
 */
export async function* streamTranscript(
  source: TranscriptSource,
  options: ImportOptions = {},
): AsyncGenerator<ImportStep, ImportReport> {
  const open = openSource(source)
  const limits: SourceLimits = {
    maxRecordBytes: options.maxRecordBytes ?? 67_108_864,
    maxDocumentBytes: options.maxDocumentBytes ?? 268_435_456,
  }
  const detected = await detect(open, limits, options.format)
  const tally = new ImportTally()
  if (detected.layout === 'empty') return tally.report({ blankLines: 0, sessions: [] })
  const { format } = detected.reader
  tally.format = format
  let blankLines = 0
  const lines = async function* (): AsyncGenerator<Batch> {
    const reader = new LineReader()
    for await (const batch of splitLines(open(), limits.maxRecordBytes)) yield batch.flatMap(line => reader.read(line))
    blankLines = reader.blank
  }
  const sessions = yield* runLayout(detected, lines, tally, options)
  return tally.report({ format, blankLines, sessions })
}

async function* runLayout(
  detected: Exclude<Detected, { layout: 'empty' }>,
  lines: () => AsyncGenerator<Batch>,
  tally: ImportTally,
  options: ImportOptions,
): AsyncGenerator<ImportStep, SessionReport[]> {
  const { reader } = detected
  const taken = new Set<string>()
  if (detected.layout === 'lines') return yield* runSessions(reader, lines, tally, options, taken)
  if (detected.layout === 'document') {
    const { document } = detected
    const records = documentRecords(document.value, reader.lists)
    const damage = documentDamage(document, records.length)
    const batch = damage === undefined ? records : [...records, damage]
    return yield* runSessions(reader, () => [batch], tally, options, taken)
  }
  const reports: SessionReport[] = []
  for await (const batch of lines()) {
    for (const line of batch) {
      const records = isDamaged(line) ? [line] : documentRecords(line.value, reader.lists, line.position)
      reports.push(...(yield* runSessions(reader, () => [records], tally, options, taken)))
    }
  }
  return reports
}
