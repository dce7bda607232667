import { statSync } from 'node:fs'

/** Milliseconds between two looks. */
const LOOK_MS = 100

/**
 * Calls back when a file was changed and has stayed so for a look: whoever writes it has probably ended. Returns the end
 * of it. It looks, for what the system tells of a directory ends when that is replaced, and knows nothing of links.
 */
export function watchFile(file: string, changed: () => void): () => void {
  let told = stateOf(file)
  let last = told
  const timer = setInterval(() => {
    const state = stateOf(file)
    if (state === last && state !== told) {
      told = state
      changed()
    }
    last = state
  }, LOOK_MS)
  return () => clearInterval(timer)
}

/** Another one for each change. */
function stateOf(file: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
  } catch {
    return 'none'
  }
}
