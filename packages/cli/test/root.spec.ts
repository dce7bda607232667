import { describe, expect, it } from 'vitest'
import { resolveRoot } from '../src/root.js'

const io = { cwd: '/work', home: '/home/sam', env: {}, platform: 'linux' as NodeJS.Platform }

describe('resolveRoot', () => {
  it('takes the option, then the environment', () => {
    const env = { DSH_SESSION_ROOT: '/from/env' }
    expect(resolveRoot('/given', { ...io, env })).toBe('/given')
    expect(resolveRoot(undefined, { ...io, env })).toBe('/from/env')
  })

  it('makes a relative root absolute', () => {
    expect(resolveRoot('a/../b', io)).toBe('/work/b')
    expect(resolveRoot(undefined, { ...io, env: { DSH_SESSION_ROOT: 'c' } })).toBe('/work/c')
    expect(resolveRoot('.', io)).toBe('/work')
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
