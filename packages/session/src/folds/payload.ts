/**
 * One field of a payload that nobody checked: the log keeps the payloads of structural events as they came, so a foreign
 * log can hold anything there.
 */
export function payloadField(data: unknown, key: string): unknown {
  return typeof data === 'object' && data !== null && Object.hasOwn(data, key)
    ? (data as Record<string, unknown>)[key]
    : undefined
}

/** A turn or step number in a payload; undefined where there is none that can be counted on from. */
export function payloadNumber(data: unknown, key: string): number | undefined {
  const value = payloadField(data, key)
  return Number.isSafeInteger(value) ? (value as number) : undefined
}

/** A string in a payload; empty where there is none. */
export function payloadText(data: unknown, key: string): string {
  const value = payloadField(data, key)
  return typeof value === 'string' ? value : ''
}
