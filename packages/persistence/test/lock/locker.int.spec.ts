import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodeLockFiles } from '../../src/lock/lock-files.js'
import { createLocker } from '../../src/lock/locker.js'
import { loadTryLock, nativeLock } from '../../src/lock/native-lock.js'
import { sqliteLock } from '../../src/lock/sqlite-lock.js'

let directory: string
let path: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lock-'))
  path = join(directory, 's')
})

afterEach(() => {
  rmSync(directory, { recursive: true })
})

const tryLock = await loadTryLock()
const ways = [
  ...(tryLock === undefined ? [] : [{ way: 'the native lock', lockFile: nativeLock(nodeLockFiles, tryLock) }]),
  { way: 'SQLite', lockFile: sqliteLock(nodeLockFiles) },
]

describe.each(ways)('a locker that uses $way', ({ lockFile }) => {
  const locker = () => createLocker(nodeLockFiles, lockFile)

  it('gives a session to one owner at a time, and names the holder to others', async () => {
    const owner = await locker().acquire(path, 's')
    await expect(locker().acquire(path, 's')).rejects.toMatchObject({
      code: 'SESSION_LOCKED',
      session: 's',
      file: path,
      details: { holder: { pid: process.pid } },
    })
    await (await locker().acquire(join(directory, 't'), 't')).release()
    await Promise.all([owner.release(), owner.release()])
    await (await locker().acquire(path, 's')).release()
  })

  it('is what it was after it was prepared', async () => {
    const prepared = locker()
    prepared.prepare?.()
    await (await prepared.acquire(path, 's')).release()
  })

  it('tells two names of one lock file from two lock files', async () => {
    const other = `${directory}-link`
    symlinkSync(directory, other)
    try {
      const owner = await locker().acquire(path, 's')
      await expect(locker().acquire(join(other, 's'), 's')).rejects.toMatchObject({ code: 'SESSION_LOCKED' })
      await owner.release()
    } finally {
      rmSync(other)
    }
  })

  it('lets one of many win', async () => {
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => locker().acquire(path, 's')))
    const winners = all.filter(each => each.status === 'fulfilled')
    expect(winners).toHaveLength(1)
    await winners[0]!.value.release()
  })

  it('keeps the file, for its owner only, and takes the note about the holder away', async () => {
    const owner = await locker().acquire(path, 's')
    expect(await owner.isHeld()).toBe(true)
    expect(JSON.parse(readFileSync(`${path}.holder`, 'utf8'))).toMatchObject({ pid: process.pid })
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
    const { ino } = statSync(path)
    await owner.release()
    expect(existsSync(`${path}.holder`)).toBe(false)
    expect(statSync(path).ino).toBe(ino)
    await (await locker().acquire(path, 's')).release()
    expect(statSync(path).ino).toBe(ino)
  })

  it('believes no note', async () => {
    for (const note of ['', 'null', '{"pid":1,"host":"h","since":1}', `{"pid":${process.pid},"host":"h","since":1}`]) {
      writeFileSync(`${path}.holder`, note)
      await (await locker().acquire(path, 's')).release()
    }
  })

  it.skipIf(process.platform === 'win32')('waits for no note that is a pipe', async () => {
    const owner = await locker().acquire(path, 's')
    rmSync(`${path}.holder`)
    execFileSync('mkfifo', [`${path}.holder`])
    const refusal = { code: 'SESSION_LOCKED', details: {} }
    await expect(locker().acquire(path, 's')).rejects.toMatchObject(refusal)
    await owner.release()
  })

  it('says why a file cannot be locked, and holds nothing then', async () => {
    const refusal = { code: 'STORAGE_FAILED', session: 's', details: { indeterminate: false } }
    await expect(locker().acquire(join(path, 'below'), 's')).rejects.toMatchObject(refusal)
    await (await locker().acquire(path, 's')).release()
    await expect(locker().acquire(join(path, 'below'), 's')).rejects.toMatchObject(refusal)
  })
})

describe('SQLite', () => {
  it('notices that its lock file was deleted or replaced, since somebody else could lock another one', async () => {
    const owner = await createLocker(nodeLockFiles, sqliteLock(nodeLockFiles)).acquire(path, 's')
    rmSync(path)
    expect(await owner.isHeld()).toBe(false)
    writeFileSync(path, '')
    expect(await owner.isHeld()).toBe(false)
    await owner.release()
  })

  it('refuses while another process holds the lock, and not once that was killed', { timeout: 30_000 }, async () => {
    await (await createLocker(nodeLockFiles, sqliteLock(nodeLockFiles)).acquire(path, 's')).release()
    const hold = `
      const database = new (require('node:sqlite').DatabaseSync)(process.argv[1])
      database.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE')
      console.log('held')
      setInterval(() => {}, 1_000)`
    const holder = spawn(process.execPath, ['-e', hold, path], { stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      await once(holder.stdout, 'data')
      const locker = createLocker(nodeLockFiles, sqliteLock(nodeLockFiles))
      await expect(locker.acquire(path, 's')).rejects.toMatchObject({ code: 'SESSION_LOCKED', details: {} })
      const ended = once(holder, 'exit')
      holder.kill('SIGKILL')
      await ended
      await (await locker.acquire(path, 's')).release()
    } finally {
      holder.kill('SIGKILL')
    }
  })
})

describe.runIf(tryLock !== undefined)('the native lock', () => {
  it('extends to the log itself, which it then keeps although the lock file was deleted', async () => {
    const log = join(directory, 'log')
    writeFileSync(log, '')
    const open = () => {
      const fd = nodeLockFiles.open(log, 'lock')
      return { fd, use: <T>(operation: (fd: number) => Promise<T>) => operation(fd) }
    }
    const [mine, theirs] = [open(), open()]
    const owner = await createLocker().acquire(path, 's')
    await owner.claim(mine)
    rmSync(path)
    const other = await createLocker().acquire(join(directory, 'replacement'), 's')
    const refusal = await other.claim(theirs).then(
      () => undefined,
      error => error,
    )
    expect(refusal).toMatchObject({ code: 'SESSION_LOCKED', session: 's' })
    // The only note is that of the one who was refused.
    expect(refusal.details).toEqual({})
    nodeLockFiles.close(mine.fd)
    await other.claim(theirs)
    nodeLockFiles.close(theirs.fd)
    await Promise.all([owner.release(), other.release()])
  })
})
