/**
 * A string as bytes that compare like the string does in JavaScript, by UTF-16 code units, and that differ for any two
 * strings. SQLite's own text keeps neither promise: a lone surrogate would become a replacement character.
 */
export function keyOf(text: string): Uint8Array {
  return Buffer.from(text, 'utf16le').swap16()
}

/** The string of a key. */
export function textOfKey(key: Uint8Array): string {
  return Buffer.from(key).swap16().toString('utf16le')
}
