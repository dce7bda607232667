import { JsonlDriver } from '@dsh/persistence-jsonl'

/** What the processes of the proofs open. */
export const connect = (root: string) => new JsonlDriver({ root })
