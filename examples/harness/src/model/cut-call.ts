import type { StreamChunk } from '@dsh/llm'
import { parseArguments } from '../tools/arguments.ts'

/** Whether the arguments of a call lack their end. */
export function isCut(text: string): boolean {
  return text === '' || parseArguments(text) === undefined
}

/**
 * Closes the block of a call that was cut at the output limit with a note in its place: half a call is nothing that
 * could be run, and some providers refuse a history that holds one.
 */
export function closeCutCall({ index, name }: { readonly index: number; readonly name: string }): StreamChunk {
  const text = `[A call of ${name} was cut off at the output limit.]`
  return { type: 'block-end', index, block: { type: 'text', text } }
}
