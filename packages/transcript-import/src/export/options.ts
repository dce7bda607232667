import type { Redact } from './redact.js'

/** The formats that a session can be written in. */
export const exportFormats = ['markdown', 'html', 'anthropic', 'openai', 'jsonl'] as const

/** A format that a session can be written in. */
export type ExportFormat = (typeof exportFormats)[number]

/** How a session is exported. */
export interface ExportOptions {
  /** Called for every piece of text that leaves the session. Images are passed over. */
  readonly redact?: Redact
  /**
   * Only what the provider's API defines. The default also keeps what the list needs to be read back exactly: reasoning
   * without a signature, unknown blocks, the media type of images by reference, and for OpenAI `is_error` and the
   * reasoning fields that most compatible servers take.
   */
  readonly strict?: boolean
}
