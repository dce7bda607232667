import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resolveRoot } from '../src/root.js'
import { temporary } from './support/root.js'

const io = { cwd: '/nowhere', home: '/home/sam', env: {}, platform: 'linux' as NodeJS.Platform }

describe('resolveRoot', () => {
  it('takes the option, then the environment', () => {
    const env = { DSH_SESSION_ROOT: '/from/env' }
    expect(resolveRoot('/given', { ...io, env })).toBe('/given')
    expect(resolveRoot(undefined, { ...io, env })).toBe('/from/env')
  })

  it('makes a relative root absolute', () => {
    expect(resolveRoot('a/../b', io)).toBe('/nowhere/b')
    expect(resolveRoot(undefined, { ...io, env: { DSH_SESSION_ROOT: 'c' } })).toBe('/nowhere/c')
    expect(resolveRoot('.', io)).toBe('/nowhere')
  })

  it('finds the sessions of the directory that somebody works on, from anywhere in it', () => {
    const cwd = temporary()
    mkdirSync(join(cwd, '.dsh-sessions'))
    mkdirSync(join(cwd, 'a', 'b'), { recursive: true })
    expect(resolveRoot(undefined, { ...io, cwd })).toBe(join(cwd, '.dsh-sessions'))
    expect(resolveRoot(undefined, { ...io, cwd: join(cwd, 'a', 'b') })).toBe(join(cwd, '.dsh-sessions'))
    expect(resolveRoot('other', { ...io, cwd })).toBe(join(cwd, 'other'))
    expect(resolveRoot(undefined, { ...io, cwd, env: { DSH_SESSION_ROOT: '/from/env' } })).toBe('/from/env')
    writeFileSync(join(cwd, 'a', '.dsh-sessions'), 'no directory')
    expect(resolveRoot(undefined, { ...io, cwd: join(cwd, 'a') })).toBe(join(cwd, '.dsh-sessions'))
  })

  it('is where the platform keeps data when nobody says', () => {
    expect(resolveRoot(undefined, { ...io, env: { DSH_SESSION_ROOT: '' } })).toBe('/home/sam/.local/share/dsh-session')
    expect(resolveRoot(undefined, { ...io, env: { XDG_DATA_HOME: '/data' } })).toBe('/data/dsh-session')
    expect(resolveRoot(undefined, { ...io, env: { XDG_DATA_HOME: 'data' } })).toBe('/home/sam/.local/share/dsh-session')
    expect(resolveRoot(undefined, { ...io, platform: 'darwin' })).toBe(
      '/home/sam/Library/Application Support/dsh-session',
    )
    expect(resolveRoot(undefined, { ...io, platform: 'win32', env: { LOCALAPPDATA: '/app' } })).toBe('/app/dsh-session')
    expect(resolveRoot(undefined, { ...io, platform: 'win32' })).toBe('/home/sam/AppData/Local/dsh-session')
  })
})
