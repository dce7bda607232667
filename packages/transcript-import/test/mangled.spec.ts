import { providerTranscript } from '@dsh/llm'
import { isSessionError, type Session } from '@dsh/session'
import { findViolations } from '@dsh/session-invariant'
import {
  type ImportedTranscript,
  importTranscript,
  type TranscriptFormat,
  transcriptFormats,
} from '@dsh/transcript-import'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { busy } from './support/busy.js'
import { samples } from './support/samples.js'
import { stored } from './support/stored.js'

/** Something done to a file: to its lines, or to its bytes. */
type Harm =
  | { readonly kind: 'drop' | 'double' | 'swap' | 'glue' | 'blank'; readonly at: number }
  | { readonly kind: 'cut' | 'noise'; readonly share: number; readonly byte: number }
  | { readonly kind: 'retype'; readonly at: number; readonly value: unknown }

const position = fc.nat(30)
const harm: fc.Arbitrary<Harm> = fc.oneof(
  fc.record({ kind: fc.constantFrom('drop', 'double', 'swap', 'glue', 'blank'), at: position }),
  fc.record({
    kind: fc.constantFrom('cut', 'noise'),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    byte: fc.nat(255),
  }),
  fc.record({
    kind: fc.constant('retype'),
    at: fc.nat(200),
    value: fc.constantFrom(null, '', 0, -1, [], {}, 'x', true, [null]),
  }),
)

describe.each(transcriptFormats)('a mangled %s file', format => {
  it('is read into valid sessions with nothing but known findings, or refused with a code', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(harm, { minLength: 1, maxLength: 4 }), async harms => {
        const imported = await attempt(mangle(samples[format], harms))
        for (const session of imported?.sessions ?? []) check(session, imported!.report.format!)
      }),
      { numRuns: 40 },
    )
  })

  it('is read in the given format whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...transcriptFormats),
        fc.array(harm, { maxLength: 2 }),
        async (other, harms) => {
          const imported = await attempt(mangle(samples[other], harms), format)
          for (const session of imported?.sessions ?? []) check(session, format)
        },
      ),
      { numRuns: 20 },
    )
  })
})

describe.each(Object.entries(busy))('a mangled %s file in which much happens', (_, transcript) => {
  it('is read likewise', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(harm, { maxLength: 4 }), async harms => {
        const imported = await attempt(mangle(transcript, harms))
        for (const session of imported?.sessions ?? []) check(session, imported!.report.format!)
      }),
      { numRuns: 60 },
    )
  })
})

async function attempt(bytes: Uint8Array, format?: TranscriptFormat): Promise<ImportedTranscript | undefined> {
  try {
    return await importTranscript(bytes, { sessionId: ({ key }) => key, ...(format !== undefined && { format }) })
  } catch (error) {
    // Another version, or nothing that anybody can read.
    if (isSessionError(error, 'FORMAT_UNSUPPORTED')) return undefined
    throw error
  }
}

function check(session: Session, format: TranscriptFormat): void {
  expect(stored(session, false).events).toEqual(session.events)
  const { messages } = providerTranscript(session.deriveMessages())
  expect(providerTranscript(messages).changes).toEqual([])
  // Logs of events are kept as they are, whatever rules they break.
  if (format === 'jsonl' || format === 'deepseek-harness') return
  expect(findViolations(session)).toEqual([])
}

function mangle(text: string, harms: readonly Harm[]): Uint8Array {
  let lines = text.split('\n')
  for (const harm of harms) if ('at' in harm) lines = mangleLines(lines, harm)
  let bytes = new TextEncoder().encode(lines.join('\n'))
  for (const harm of harms) {
    if (!('share' in harm)) continue
    const at = Math.floor(harm.share * bytes.length)
    if (harm.kind === 'cut') bytes = bytes.slice(0, at)
    else if (at < bytes.length) bytes[at] = harm.byte
  }
  return bytes
}

function mangleLines(lines: readonly string[], harm: Extract<Harm, { at: number }>): string[] {
  const at = harm.at % lines.length
  const line = lines[at]!
  const next = lines[(at + 1) % lines.length]!
  switch (harm.kind) {
    case 'drop':
      return lines.toSpliced(at, 1, ...(lines.length === 1 ? [''] : []))
    case 'double':
      return lines.toSpliced(at, 0, line)
    case 'swap':
      return lines.with(at, next).with((at + 1) % lines.length, line)
    case 'glue':
      return lines.toSpliced(at, 2, line + next)
    case 'blank':
      return lines.toSpliced(at, 0, '  ')
    case 'retype':
      return retype(lines, harm)
  }
}

/** Gives one field, somewhere in the file, another value. */
function retype(lines: readonly string[], { at, value }: Extract<Harm, { kind: 'retype' }>): string[] {
  const whole = parse(lines.join('\n'))
  if (whole !== undefined) {
    let field = 0
    return [JSON.stringify(whole, (key, item) => (key !== '' && field++ === at ? value : item))]
  }
  const index = at % lines.length
  const record = parse(lines[index]!)
  if (record === undefined) return [...lines]
  let field = 0
  return lines.with(
    index,
    JSON.stringify(record, (key, item) => (key !== '' && field++ === at % 12 ? value : item)),
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
