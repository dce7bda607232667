import { MAX_JSON_DEPTH } from '../json.js'

/**
 * Deep-freezes what `JSON.parse` returned, level by level: an explicit queue, because the caller may be deep in a stack
 * of its own.
 * @returns false, having stopped, when objects and arrays lie more than {@link MAX_JSON_DEPTH} inside each other
 */
export function freezeJson(value: unknown): boolean {
  let level = isContainer(value) ? [value] : []
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_JSON_DEPTH) return false
    const next: object[] = []
    for (const container of level) {
      const members: unknown[] = Array.isArray(container) ? container : Object.values(container)
      for (const member of members) if (isContainer(member)) next.push(member)
      Object.freeze(container)
    }
    level = next
  }
  return true
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
