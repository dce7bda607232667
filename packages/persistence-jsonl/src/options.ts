import { isAbsolute } from 'node:path'
import { absolutePath, type ConfigOptions, oneOf, required } from '@dsh/session/config'
import type { JsonlDriverOptions } from './driver.js'

/** What the driver is told, for the static `Config` of the plugin. */
export const driverOptions: ConfigOptions<JsonlDriverOptions> = {
  root: required(absolutePath(isAbsolute)),
  durability: oneOf('fsync', 'none'),
}
