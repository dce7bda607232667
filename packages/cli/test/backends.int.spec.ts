import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { backend, backendNames, usualBackend } from '../src/backends.js'
import { temporary } from './support/root.js'

describe('usualBackend', () => {
  it('takes a file for a database, and everything else for a directory', () => {
    const folder = temporary()
    writeFileSync(join(folder, 'file'), '')
    mkdirSync(join(folder, 'directory'))
    expect(usualBackend(join(folder, 'file'))).toBe('sqlite')
    expect(usualBackend(join(folder, 'new.sqlite'))).toBe('sqlite')
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
    expect(backend('sqlite').place(join(folder, 'a.sqlite'))).toBe(join(folder, 'a.sqlite'))
    expect(backendNames).toEqual(['jsonl', 'sqlite'])
  })
})
