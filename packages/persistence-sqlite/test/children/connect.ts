import { SqliteDriver } from '@dsh/persistence-sqlite'

/** What the processes of the proofs open. */
export const connect = (file: string) => new SqliteDriver({ file })
