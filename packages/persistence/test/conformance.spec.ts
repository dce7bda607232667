import { driverConformance } from '../src/conformance.js'
import { observedStorage, richManifest } from './rich-driver.js'

// The optional parts of the suite, which the driver of the documentation leaves out.
driverConformance(richManifest, () => observedStorage())
