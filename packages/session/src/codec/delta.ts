import type { StreamChunkMap } from '@dsh/llm'
import type { SessionEvent, SurfaceIntent } from '../event.js'
import { hasKeys, isObject } from './line-guards.js'

/** A stream chunk that a packed row can hold. */
export type Delta = StreamChunkMap['text-delta' | 'reasoning-delta' | 'tool-call-delta']

/** The payload of an event that a packed row can hold. */
export interface DeltaPayload {
  readonly turn: number
  readonly step: number
  readonly chunk: Delta
}

const payloadKeys = ['turn', 'step', 'chunk']
const textKeys = ['type', 'index', 'text']
const toolCallKeys = ['type', 'index', 'id', 'argumentsDelta']
const namedToolCallKeys = ['type', 'index', 'id', 'name', 'argumentsDelta']

/**
 * The payload of `event` when it is a delta of exactly the known shape, keys in the known order, so that a packed row
 * gives it back to the letter. The log does not check the shape of chunks, so nothing about it is taken for granted.
 */
export function readDelta(event: SessionEvent): DeltaPayload | undefined {
  if (event.type !== 'assistant/chunk' || !Number.isSafeInteger(event.time)) return undefined
  const { surfaceOp, sourceEventSeqs } = event as Partial<SurfaceIntent>
  if (surfaceOp !== undefined || sourceEventSeqs !== undefined) return undefined
  const data: unknown = event.data
  if (!isObject(data) || !hasKeys(data, payloadKeys)) return undefined
  if (!Number.isSafeInteger(data.turn) || !Number.isSafeInteger(data.step)) return undefined
  return isDelta(data.chunk) ? (event.data as DeltaPayload) : undefined
}

function isDelta(chunk: unknown): chunk is Delta {
  if (!isObject(chunk) || !Number.isSafeInteger(chunk.index)) return false
  switch (chunk.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return typeof chunk.text === 'string' && hasKeys(chunk, textKeys)
    case 'tool-call-delta':
      if (typeof chunk.id !== 'string' || typeof chunk.argumentsDelta !== 'string') return false
      return hasKeys(chunk, toolCallKeys) || (typeof chunk.name === 'string' && hasKeys(chunk, namedToolCallKeys))
    default:
      return false
  }
}

/** The piece of text that a delta carries. */
export function deltaText(delta: Delta): string {
  return delta.type === 'tool-call-delta' ? delta.argumentsDelta : delta.text
}

/** Whether two deltas belong to one packed row: everything but their text is equal. */
export function isSameBlock(a: DeltaPayload, b: DeltaPayload): boolean {
  if (a.chunk.type !== b.chunk.type || a.chunk.index !== b.chunk.index) return false
  if (a.turn !== b.turn || a.step !== b.step) return false
  if (a.chunk.type !== 'tool-call-delta' || b.chunk.type !== 'tool-call-delta') return true
  return a.chunk.id === b.chunk.id && a.chunk.name === b.chunk.name
}
