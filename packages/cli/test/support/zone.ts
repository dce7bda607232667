import { afterAll, beforeAll } from 'vitest'

/** Runs the tests of a file in a zone that is not UTC, so that local times show. */
export function useZone(zone = 'Asia/Shanghai'): void {
  const before = process.env.TZ
  beforeAll(() => {
    process.env.TZ = zone
  })
  afterAll(() => {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  })
}
