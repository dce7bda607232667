import type { JsonValue } from '@dsh/llm'
import { SessionError } from '@dsh/session'
import { type TranscriptFormat, transcriptFormats } from './format.js'
import { isRecord } from './json-value.js'
import { readers } from './readers/index.js'
import type { TranscriptReader } from './readers/reader.js'
import type { OpenSource } from './source/chunks.js'
import { type ParsedDocument, parseDocument, readText } from './source/document.js'
import { LineReader } from './source/line-records.js'
import { splitLines } from './source/lines.js'
import { isDamaged } from './source/record.js'

/** What a source turned out to be. */
export type Detected =
  | { readonly layout: 'empty' }
  | { readonly layout: 'lines'; readonly reader: TranscriptReader }
  | { readonly layout: 'document'; readonly reader: TranscriptReader; readonly document: ParsedDocument }
  /** A document on each line. */
  | { readonly layout: 'documents'; readonly reader: TranscriptReader }

/** Limits of what is read. */
export interface SourceLimits {
  /** Bytes of the longest line that is read as a record. */
  readonly maxRecordBytes: number
  /** Bytes of the longest file that is one JSON document. */
  readonly maxDocumentBytes: number
}

/** How much of a file of lines is looked at. */
const SAMPLE_RECORDS = 64
const SAMPLE_BYTES = 4_194_304

/**
 * Finds out the format of a source from its content.
 * @param forced the format, where the caller knows it
 * @throws FORMAT_UNSUPPORTED when it is none of the formats, UNSUPPORTED when it is a document above the limit
 */
export async function detect(
  open: OpenSource,
  limits: SourceLimits,
  forced: TranscriptFormat | undefined,
): Promise<Detected> {
  const sample = await readSample(open, limits)
  if (sample.isEmpty) return { layout: 'empty' }
  const candidates = forced === undefined ? readers : readers.filter(reader => reader.format === forced)
  const [only] = sample.values
  if (sample.isWhole && sample.values.length === 1 && sample.damaged === 0) {
    const reader = bestForDocument(candidates, only!)
    if (reader !== undefined) {
      return { layout: 'document', reader, document: { value: only!, text: '' } }
    }
  }
  const reader = bestForLines(candidates, sample.values)
  const spread = sample.opensDocument ? await wholeDocument(open, limits, candidates, reader !== undefined) : undefined
  if (spread !== undefined) return spread
  if (reader !== undefined) return { layout: 'lines', reader }
  const row = only === undefined ? undefined : bestForDocument(candidates, only)
  if (row !== undefined && isRecord(only)) return { layout: 'documents', reader: row }
  const broken = sample.looksLikeDocument ? await wholeDocument(open, limits, candidates, false) : undefined
  if (broken !== undefined) return broken
  if (forced !== undefined) return { layout: 'lines', reader: candidates[0]! }
  throw unsupported(sample)
}

/** @param canBeLines whether a document above the limit is better read line by line than refused */
async function wholeDocument(
  open: OpenSource,
  { maxDocumentBytes }: SourceLimits,
  candidates: readonly TranscriptReader[],
  canBeLines: boolean,
): Promise<Detected | undefined> {
  const text = await readText(open(), maxDocumentBytes)
  if (text === undefined) {
    if (canBeLines) return undefined
    throw new SessionError('UNSUPPORTED', {
      expected: `a JSON document of at most ${maxDocumentBytes} bytes, which has to be read as a whole`,
      found: 'a longer one',
      path: 'source',
    })
  }
  const document = parseDocument(text)
  const reader = document && bestForDocument(candidates, document.value)
  return reader && { layout: 'document', reader, document: document! }
}

interface Sample {
  readonly values: readonly JsonValue[]
  readonly damaged: number
  readonly isEmpty: boolean
  /** Whether the sample is all of the source. */
  readonly isWhole: boolean
  readonly looksLikeDocument: boolean
  /** Whether the first line is the beginning of a document that is spread over lines. */
  readonly opensDocument: boolean
  /** How the source begins. */
  readonly start: string
}

async function readSample(open: OpenSource, { maxRecordBytes }: SourceLimits): Promise<Sample> {
  const lines = new LineReader()
  const values: JsonValue[] = []
  let [damaged, bytes, start, isWhole] = [0, 0, '', true]
  reading: for await (const batch of splitLines(open(), maxRecordBytes)) {
    for (const line of batch) {
      refuseCompressed(line.bytes)
      for (const record of lines.read(line)) {
        if (isDamaged(record)) damaged++
        else values.push(record.value)
        if (start === '') start = isDamaged(record) ? record.damage.text : JSON.stringify(record.value)
      }
      bytes += line.length + 1
      if (values.length >= SAMPLE_RECORDS || bytes >= SAMPLE_BYTES) {
        isWhole = false
        break reading
      }
    }
  }
  const isEmpty = values.length === 0 && damaged === 0
  const looksLikeDocument = damaged > 0 && /^\s*[{[]/.test(start)
  // A line of JSON that was cut seldom ends behind a bracket or a comma.
  const opensDocument = looksLikeDocument && /[[{,:]\s*$/.test(start)
  return { values, damaged, isEmpty, isWhole, looksLikeDocument, opensDocument, start }
}

function bestForLines(candidates: readonly TranscriptReader[], values: readonly JsonValue[]) {
  return best(candidates, reader => reader.recognizes(values))
}

function bestForDocument(candidates: readonly TranscriptReader[], document: JsonValue) {
  return best(candidates, reader => reader.recognizesDocument(document))
}

function best(candidates: readonly TranscriptReader[], score: (reader: TranscriptReader) => number) {
  let found: { reader: TranscriptReader; score: number } | undefined
  for (const reader of candidates) {
    const points = score(reader)
    if (points > (found?.score ?? 0)) found = { reader, score: points }
  }
  return found?.reader
}

const magics = [
  { name: 'zstd', bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { name: 'gzip', bytes: [0x1f, 0x8b] },
  { name: 'zip', bytes: [0x50, 0x4b, 0x03, 0x04] },
  { name: 'SQLite', bytes: [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20] },
]

function refuseCompressed(bytes: Uint8Array): void {
  const found = magics.find(magic => magic.bytes.every((byte, index) => bytes[index] === byte))
  if (found === undefined) return
  throw new SessionError('FORMAT_UNSUPPORTED', {
    expected: 'a transcript as JSON text',
    found: `a ${found.name} file; unpack or export it first`,
    path: 'source',
  })
}

function unsupported({ start, values, damaged }: Sample): SessionError {
  const beginning = start.length > 120 ? `${start.slice(0, 120)}…` : start
  return new SessionError('FORMAT_UNSUPPORTED', {
    expected: `a transcript of one of the formats ${transcriptFormats.join(', ')}`,
    found: `${values.length} JSON records and ${damaged} other lines at the start, beginning with ${JSON.stringify(beginning)}`,
    path: 'source',
  })
}
