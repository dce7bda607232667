/** The transcript formats that can be read. `jsonl` is the plain log that `exportTranscript` writes. */
export const transcriptFormats = [
  'jsonl',
  'deepseek-harness',
  'claude-code',
  'codex',
  'pi',
  'gemini-cli',
  'openhands',
  'swe-agent',
  'goose',
  'anthropic',
  'openai',
] as const

/** A transcript format that can be read. */
export type TranscriptFormat = (typeof transcriptFormats)[number]
