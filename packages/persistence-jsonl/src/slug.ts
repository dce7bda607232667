export { sessionSlug } from '@dsh/persistence/lock'
