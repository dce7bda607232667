import { transcriptFormats } from '@dsh/transcript-import'
import { describe, expect, it } from 'vitest'
import { busy } from './support/busy.js'
import { lostTexts, withMoreFields } from './support/lost.js'
import { read } from './support/read.js'
import { samples } from './support/samples.js'

describe.each(transcriptFormats)('a %s transcript', format => {
  const transcripts = [samples[format], busy[format]].filter(text => text !== undefined)

  it('loses no text', async () => {
    for (const text of transcripts) {
      const { sessions } = await read(text, { format })
      expect(lostTexts(text, sessions)).toEqual([])
    }
  })

  it('loses no field that nobody has heard of, wherever it is', async () => {
    for (const transcript of transcripts) {
      const text = withMoreFields(transcript)
      const { sessions } = await read(text, { format })
      expect(lostTexts(text, sessions)).toEqual([])
    }
  })
})
