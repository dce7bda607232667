import type { TolerantItem, TolerantRead } from '@dsh/persistence/driver'
import { isSessionError, SESSION_FORMAT_VERSION } from '@dsh/session'
