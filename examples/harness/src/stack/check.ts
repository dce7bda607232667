import { isSessionError, locateError, SessionError } from '@dsh/session'
import type { Plugin } from 'cordis'
import { describeError } from '../terminal/describe.ts'
import type { PlacedEntry } from './entry.ts'
import { evaluate } from './evaluate.ts'
import type { StackLoader } from './loader.ts'

/**
 * Looks at an entry without mounting it: whether its plugin can be imported, and accepts its configuration.
 * @throws INVALID_CONFIG naming file, line, plugin and option
 */
export async function checkEntry(loader: StackLoader, { options, place, placeOf }: PlacedEntry): Promise<void> {
  if (options.disabled) return
  const { name: plugin } = options
  const invalid = (expected: string, found: string, path?: string) =>
    new SessionError('INVALID_CONFIG', { expected, found, plugin, ...placeOf(path), ...(path && { path }) })

  const found = await loader.pluginOf(options).catch(cause => {
    throw new SessionError('INVALID_CONFIG', {
      expected: 'a plugin that can be imported',
      found: describeError(cause),
      plugin,
      ...place,
      cause,
    })
  })
  if (!isPlugin(found)) throw invalid('a plugin as the default export', 'none')
  const { config } = options
  // One by one, to know which it is that fails.
  for (const [option, value] of Object.entries(config ?? {})) {
    try {
      evaluate(loader.ctx, value)
    } catch (error) {
      if (isSessionError(error)) throw locateError(error, { plugin, ...placeOf(option), path: option })
      throw invalid('an expression that can be evaluated', describeError(error), option)
    }
  }
  try {
    const result = await found.Config?.['~standard'].validate(evaluate(loader.ctx, config))
    const [issue] = result?.issues ?? []
    if (issue === undefined) return
    const keys = issue.path?.map(part => String(typeof part === 'object' ? part.key : part))
    throw invalid('options that the plugin accepts', issue.message, keys?.join('.'))
  } catch (error) {
    if (isSessionError(error)) throw locateError(error, { plugin, ...placeOf(error.path) })
    throw invalid('options that the plugin accepts', describeError(error))
  }
}

function isPlugin(value: unknown): value is Plugin {
  if (typeof value === 'function') return true
  return typeof value === 'object' && value !== null && 'apply' in value && typeof value.apply === 'function'
}
