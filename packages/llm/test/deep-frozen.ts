/** The path of the first object in `value` that is not frozen, or undefined when all are. */
export function firstUnfrozen(value: unknown, path = '$'): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!Object.isFrozen(value)) return path
  for (const [key, item] of Object.entries(value)) {
    const found = firstUnfrozen(item, `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}
