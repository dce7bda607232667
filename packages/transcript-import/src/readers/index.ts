import { anthropic } from './anthropic/index.js'
import { claudeCode } from './claude-code/index.js'
import { codex } from './codex/index.js'
import { deepseekHarness } from './deepseek-harness/index.js'
import { geminiCli } from './gemini-cli/index.js'
import { goose } from './goose/index.js'
import { jsonl } from './jsonl/index.js'
import { openai } from './openai/index.js'
import { openhands } from './openhands/index.js'
import { pi } from './pi/index.js'
import type { TranscriptReader } from './reader.js'
import { sweAgent } from './swe-agent/index.js'

/** All readers; of those that recognize a source equally well, the first is taken. */
export const readers: readonly TranscriptReader[] = [
  jsonl,
  deepseekHarness,
  claudeCode,
  codex,
  pi,
  geminiCli,
  openhands,
  sweAgent,
  goose,
  anthropic,
  openai,
]
