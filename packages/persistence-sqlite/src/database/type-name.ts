/**
 * The type of a record as its column holds it: the way it stands in the JSON of the body, so that control characters and
 * lone surrogates survive. The usual names stay as they are.
 */
export function formatTypeName(type: string): string {
  return JSON.stringify(type).slice(1, -1)
}

/** Reads what {@link formatTypeName} wrote. @throws SyntaxError for anything else */
export function parseTypeName(text: string): string {
  return text.includes('\\') ? JSON.parse(`"${text}"`) : text
}
