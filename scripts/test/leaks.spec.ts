import { describe, expect, it } from 'vitest'
import { formatProblem } from '../docs/problem.ts'
import { findLeaks } from '../leaks.ts'

const machine = { root: '/srv/checkout', home: '/users/ada' }

function leaks(text: string, file = 'a.ts'): string[] {
  return findLeaks(file, text, machine).map(formatProblem)
}

describe('findLeaks', () => {
  it('accepts ordinary text, and paths that only look alike', () => {
    expect(leaks('https://example.org/npm\n/srv/check\n/users/ada-lovelace\nregistry of sessions\ntarball: x')).toEqual(
      [],
    )
  })

  it.each([
    ['at /srv/checkout/packages', 'expected no path of this machine, found /srv/checkout'],
    ['cd /users/ada/x', 'expected no path of this machine, found /users/ada/'],
    [`https://${'registry'}.example.org/x`, `expected no address of a registry, found ${'registry'}.example.org`],
    [`https://${'npm'}.example.com/x`, `expected no address of a registry, found ${'npm'}.example.com`],
  ])('refuses %s', (line, message) => {
    expect(leaks(`one\n${line}`)).toEqual([`a.ts:2: ${message}`])
  })

  it('refuses a lockfile that says whence it downloads', () => {
    const line = 'resolution: {integrity: sha512-x, tarball: https://example.org/x.tgz}'
    expect(leaks(`  ${line}`, 'pnpm-lock.yaml')).toEqual([
      `pnpm-lock.yaml:1: expected a lockfile that names no downloads, found ${line}`,
    ])
  })
})
