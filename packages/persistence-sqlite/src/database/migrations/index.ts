import { sessionsAndRecords } from './1-sessions-and-records.js'

/** What leads from each schema version to the next, the first one from an empty file. A released one never changes. */
export const migrations: readonly string[] = [sessionsAndRecords]
