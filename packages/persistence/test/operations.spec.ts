import { describe, expect, it } from 'vitest'
import { Operations } from '../src/operations.js'

describe('Operations', () => {
  it('gives what an operation gives, and throws what it throws', async () => {
    const operations = new Operations()
    expect(await operations.run(async () => 1)).toBe(1)
    const failure = new Error('no')
    await expect(operations.run(() => Promise.reject(failure))).rejects.toBe(failure)
  })

  it('releases once, after all that is under way, and refuses what comes later', async () => {
    const operations = new Operations({ file: '/store' })
    const course: string[] = []
    const first = Promise.withResolvers<void>()
    const second = Promise.withResolvers<void>()
    const running = [
      operations.run(() => first.promise.then(() => course.push('first'))),
      operations.run(() => second.promise.then(() => course.push('second'))),
    ]
    const release = async () => void course.push('released')
    const closing = Promise.all([operations.close(release), operations.close(release)])
    await expect(operations.run(async () => course.push('late'))).rejects.toMatchObject({
      code: 'STORAGE_FAILED',
      file: '/store',
      details: { indeterminate: false },
    })
    second.reject(new Error('no'))
    await expect(running[1]).rejects.toThrow('no')
    expect(course).toEqual([])
    first.resolve()
    await closing
    expect(course).toEqual(['first', 'released'])
  })

  it('passes on what the release fails with, every time', async () => {
    const operations = new Operations()
    const release = () => Promise.reject(new Error('stuck'))
    await expect(operations.close(release)).rejects.toThrow('stuck')
    await expect(operations.close(release)).rejects.toThrow('stuck')
  })
})
