import { providerTranscript } from '@dsh/llm'
import { exportTranscript, importTranscript } from '@dsh/transcript-import'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sessions } from '../support/sessions.js'
import { portable } from '../support/stored.js'

/** Arguments as values, since a provider that takes objects keeps no spacing. */
function comparable(messages: Parameters<typeof portable>[0]): unknown {
  return JSON.parse(
    JSON.stringify(portable(messages), (key, value) => {
      if (key !== 'arguments') return value
      try {
        return JSON.stringify(JSON.parse(value))
      } catch {
        return value
      }
    }),
  )
}

describe('exporting a session and importing it again', () => {
  it('gives the same session through JSONL', async () => {
    await fc.assert(
      fc.asyncProperty(sessions, async session => {
        const { sessions: back } = await importTranscript(exportTranscript(session, 'jsonl'))
        expect(back[0]!.events).toEqual(session.events)
        expect(back[0]!.header).toEqual(session.header)
      }),
      { numRuns: 60 },
    )
  })

  it.each(['anthropic', 'openai'] as const)('gives the same messages through the list of %s', async api => {
    await fc.assert(
      fc.asyncProperty(sessions, async session => {
        const { messages } = providerTranscript(session.deriveMessages())
        const text = exportTranscript(session, api)
        const back = await importTranscript(text, { format: api })
        expect(comparable(back.sessions[0]?.deriveMessages() ?? [])).toEqual(comparable(messages))
      }),
      { numRuns: 150 },
    )
  })
})
