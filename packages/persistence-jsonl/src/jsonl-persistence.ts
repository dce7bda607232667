import { type PersistenceOptions, persistenceOptions, SessionPersistence } from '@dsh/persistence'
import { type PluginConfig, pluginConfig } from '@dsh/session/config'
import type { Context } from 'cordis'
import { JsonlDriver, type JsonlDriverOptions, jsonlManifest } from './driver.js'
import { driverOptions } from './options.js'

/** Configuration of {@link JsonlPersistence}. */
export interface JsonlPersistenceConfig extends JsonlDriverOptions, Partial<PersistenceOptions> {}

/** The embedded backend as a plugin: `ctx.sessionPersistence` over JSONL logs below `root`. */
export class JsonlPersistence extends SessionPersistence {
  static readonly Config: PluginConfig<JsonlPersistenceConfig> = pluginConfig('@dsh/persistence-jsonl', {
    ...driverOptions,
    ...persistenceOptions,
  })

  /** @throws INVALID_CONFIG naming the option */
  constructor(ctx: Context, config: JsonlPersistenceConfig) {
    const driver = new JsonlDriver(config)
    const connect = async () => {
      await driver.connect()
      return driver
    }
    super(ctx, { manifest: jsonlManifest, connect }, config)
  }
}
