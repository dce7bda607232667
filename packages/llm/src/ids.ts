// Declared here because neither the DOM nor the Node typings are loaded: this package runs in both.
declare const crypto: { randomUUID(): string }

declare const brand: unique symbol

/** A string that is told apart from other strings by the compiler only. */
export type Brand<Name extends string> = string & { readonly [brand]: Name }

/** Identity of one tool call; unique within one assistant message, possibly reused by a provider across turns. */
export type CallId = Brand<'CallId'>

/** Identity of one message. */
export type MessageId = Brand<'MessageId'>

/**
 * Brands a non-empty string as a {@link CallId}.
 * @throws TypeError when `id` is not a non-empty string
 */
export function callId(id: string): CallId {
  return nonEmpty(id, 'call id') as CallId
}

/**
 * Brands a non-empty string as a {@link MessageId}.
 * @throws TypeError when `id` is not a non-empty string
 */
export function messageId(id: string): MessageId {
  return nonEmpty(id, 'message id') as MessageId
}

/** Mints a random {@link MessageId}: 122 random bits, no clock. */
export function mintMessageId(): MessageId {
  return crypto.randomUUID() as string as MessageId
}

/** Mints a random {@link CallId}: 122 random bits, no clock. */
export function mintCallId(): CallId {
  return crypto.randomUUID() as string as CallId
}

function nonEmpty(id: string, what: string): string {
  if (typeof id === 'string' && id !== '') return id
  throw new TypeError(`expected a non-empty string as ${what}, found ${id === '' ? 'an empty string' : typeof id}`)
}
