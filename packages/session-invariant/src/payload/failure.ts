import { count, exactly, name, number, type Shape, text } from './shape.js'

/** A failed model request. */
export const failure: Shape = exactly(
  { message: text, code: text },
  { status: count, providerRetryAfterMs: number, requestId: name },
)
