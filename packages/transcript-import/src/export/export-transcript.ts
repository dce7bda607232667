import type { SessionView } from '@dsh/session'
import { anthropicRequest } from './anthropic.js'
import { htmlChunks } from './html/page.js'
import { jsonlChunks } from './jsonl.js'
import { markdownChunks } from './markdown.js'
import { openaiRequest } from './openai.js'
import type { ExportFormat, ExportOptions } from './options.js'

/**
 * A session in another form, as text:
 *
 * - `jsonl`: the plain log; importing it gives the same session.
 * - `anthropic`, `openai`: the history that the model sees, as a request to the API, made acceptable by
 *   `providerTranscript`. Importing it gives the same messages but for ids, sources and replay state.
 * - `markdown`, `html`: for reading.
 */
export function exportTranscript(view: SessionView, format: ExportFormat, options: ExportOptions = {}): string {
  return [...exportChunks(view, format, options)].join('')
}

/** {@link exportTranscript} in pieces, for sessions that are too long to be one string. */
export function exportChunks(view: SessionView, format: ExportFormat, options: ExportOptions = {}): Iterable<string> {
  switch (format) {
    case 'markdown':
      return markdownChunks(view, options)
    case 'html':
      return htmlChunks(view, options)
    case 'jsonl':
      return jsonlChunks(view, options)
    case 'anthropic':
      return [`${JSON.stringify(anthropicRequest(view, options), null, 2)}\n`]
    case 'openai':
      return [`${JSON.stringify(openaiRequest(view, options), null, 2)}\n`]
  }
}
