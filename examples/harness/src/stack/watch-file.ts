import { watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Milliseconds without a change after which whoever writes a file has probably ended. */
const SETTLE_MS = 50

/** Calls back when a file was changed, also by an editor that puts another in its place. Returns the end of it. */
export function watchFile(file: string, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const watcher = watch(dirname(file), (_, name) => {
    if (name !== basename(file)) return
    clearTimeout(timer)
    timer = setTimeout(changed, SETTLE_MS)
  })
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}
