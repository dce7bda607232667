import { describe } from 'vitest'
import { appendConformance } from './conformance/append.js'
import { baseConformance } from './conformance/base.js'
import { createConformance } from './conformance/create.js'
import { idConformance } from './conformance/ids.js'
import { listConformance } from './conformance/list.js'
import { openConformance } from './conformance/open.js'
import { optionalConformance } from './conformance/optional.js'
import { readConformance } from './conformance/read.js'
import { removeConformance } from './conformance/remove.js'
import type { ConformanceStorage } from './conformance/setup.js'
import { conformanceTarget } from './conformance/setup.js'
import type { DriverManifest } from './driver.js'

export type { ConformanceStorage } from './conformance/setup.js'

/**
 * The whole test of a backend beside its extras. Call it at the top level of a spec that runs under vitest; `setup`
 * makes a fresh storage for each test.
 */
export function driverConformance(
  manifest: DriverManifest,
  setup: () => ConformanceStorage | Promise<ConformanceStorage>,
): void {
  describe(`${manifest.name} driver`, () => {
    const target = conformanceTarget(manifest, setup)
    createConformance(target)
    appendConformance(target)
    readConformance(target)
    openConformance(target)
    listConformance(target)
    removeConformance(target)
    idConformance(target)
    optionalConformance(target)
    baseConformance(target)
  })
}
