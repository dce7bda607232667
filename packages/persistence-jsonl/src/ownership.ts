export type { Locker, Ownership } from '@dsh/persistence/lock'
