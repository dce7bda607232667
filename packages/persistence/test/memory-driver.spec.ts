import { driverConformance } from '@dsh/persistence/conformance'
import { MemoryDriver, MemoryStorage, memoryManifest } from './memory-driver.js'

driverConformance(memoryManifest, () => {
  const storage = new MemoryStorage()
  return { connect: () => new MemoryDriver(storage) }
})
