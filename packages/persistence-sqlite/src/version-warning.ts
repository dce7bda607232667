/** The first version in which two connections that reset the write-ahead log at once cannot damage the database. */
const SAFE_VERSION = [3, 51, 3] as const

let isWarned = false

/** Warns of a version of SQLite through the process, the first time. */
export function warnOnce(version: string): void {
  const warning = versionWarning(version)
  if (warning === undefined || isWarned) return
  isWarned = true
  process.emitWarning(warning, { type: 'SqliteVersionWarning', code: 'DSH_SQLITE_VERSION' })
}

/** What to tell about the version of SQLite that Node was built with; undefined when there is nothing to say. */
export function versionWarning(version: string): string | undefined {
  const found = version.split('.').map(Number)
  for (const [index, safe] of SAFE_VERSION.entries()) {
    const part = found[index] ?? 0
    if (part > safe) return undefined
    if (part < safe) {
      return (
        `SQLite ${version}, which this Node brings, can damage a database that several processes write to at once. ` +
        `Use a Node with SQLite ${SAFE_VERSION.join('.')} or newer (process.versions.sqlite), or one process.`
      )
    }
  }
  return undefined
}
