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
   * Only what the provider's API defines. The default keeps reasoning that has no signature, and for OpenAI `is_error`
   * and reasoning fields, which most compatible servers take and the list needs to be read back exactly.
   */
  readonly strict?: boolean
}
