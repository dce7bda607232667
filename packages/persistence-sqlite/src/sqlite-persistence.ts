import { type PersistenceOptions, persistenceOptions, SessionPersistence } from '@dsh/persistence'
import { type PluginConfig, pluginConfig } from '@dsh/session/config'
import type { Context } from 'cordis'
import { SqliteDriver, sqliteManifest } from './driver.js'
import { driverOptions, type SqliteDriverOptions } from './options.js'
import { versionWarning } from './version-warning.js'

/** Configuration of {@link SqlitePersistence}. */
export interface SqlitePersistenceConfig extends SqliteDriverOptions, Partial<PersistenceOptions> {}

/** A backend as a plugin: `ctx.sessionPersistence` over the SQLite database `file`. */
export class SqlitePersistence extends SessionPersistence {
  static readonly Config: PluginConfig<SqlitePersistenceConfig> = pluginConfig('@dsh/persistence-sqlite', {
    ...driverOptions,
    ...persistenceOptions,
  })

  /** @throws INVALID_CONFIG naming the option */
  constructor(ctx: Context, config: SqlitePersistenceConfig) {
    const driver = new SqliteDriver(config)
    const connect = async () => {
      const { sqliteVersion } = await driver.connect()
      const warning = versionWarning(sqliteVersion)
      if (warning !== undefined) ctx.logger.warn(warning)
      return driver
    }
    super(ctx, { manifest: sqliteManifest, connect }, config)
  }
}
