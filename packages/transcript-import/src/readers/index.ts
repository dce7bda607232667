import { claudeCode } from './claude-code/index.js'
import type { TranscriptReader } from './reader.js'

/** All readers; of those that recognize a source equally well, the first is taken. */
export const readers: readonly TranscriptReader[] = [claudeCode]
