export { createLocker } from '@dsh/persistence/lock'
