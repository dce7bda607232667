import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { backend, backendNames, usualBackend } from '../src/backends.js'
import { temporary } from './support/root.js'

describe('usualBackend', () => {
  it('takes a file, and what is named like a database and not there, for a database, and everything else for a directory', () => {
    const folder = temporary()
    writeFileSync(join(folder, 'file'), '')
    mkdirSync(join(folder, 'directory'))
    expect(usualBackend(join(folder, 'file'))).toBe('sqlite')
    for (const name of ['new.sqlite', 'new.sqlite3', 'new.db', 'NEW.DB', '.db']) {
      expect(usualBackend(join(folder, name))).toBe('sqlite')
    }
    for (const name of ['db', 'new.dbx', 'new.sqlite.d']) expect(usualBackend(join(folder, name))).toBe('jsonl')
    mkdirSync(join(folder, 'directory.db'))
    expect(usualBackend(join(folder, 'directory.db'))).toBe('jsonl')
    expect(usualBackend(join(folder, 'directory'))).toBe('jsonl')
    expect(usualBackend(join(folder, 'new'))).toBe('jsonl')
    expect(usualBackend(join(folder, 'file', 'below'))).toBe('jsonl')
  })
})

describe('backend', () => {
  it('knows where each stores what a root names', () => {
    const folder = temporary()
    expect(backend('jsonl').place(folder)).toBe(folder)
    expect(backend('sqlite').place(folder)).toBe(join(folder, 'sessions.sqlite'))
    expect(backend('sqlite').place(join(folder, 'a.db'))).toBe(join(folder, 'a.db'))
    expect(backendNames).toEqual(['jsonl', 'sqlite'])
  })
})
