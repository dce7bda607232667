import { hash } from 'node:crypto'

const READABLE_LENGTH = 40
const HASH_LENGTH = 32

/**
 * A directory name for any session id: a readable part for people, and a hash that tells ids apart. It is one safe
 * segment on every file system: letters, digits, `_` and `-` only, so that no name is hidden, ends in a dot, or is that
 * of a Windows device; the hash keeps apart what a file system that folds case or Unicode forms would merge.
 */
export function sessionSlug(id: string): string {
  const readable = id
    .slice(0, READABLE_LENGTH)
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  // UTF-16 and not UTF-8, in which every lone surrogate becomes the same replacement character.
  const digest = hash('sha256', Buffer.from(id, 'utf16le')).slice(0, HASH_LENGTH)
  return readable === '' ? digest : `${readable}-${digest}`
}
