import { Context } from 'cordis'
import { expect, it, vi } from 'vitest'
import { listen } from '../src/listen.js'

it('hears what a listener hears, until its plugin is disposed', async () => {
  const app = new Context()
  const [own, other] = [vi.fn(), vi.fn()]
  const emit = () => app.emit('internal/service', 'x', 1)
  const plugin = app.plugin({ apply: (ctx: Context) => listen(ctx, 'internal/service', own) })
  await plugin
  app.on('internal/service', other)
  emit()
  expect([own.mock.calls, other.mock.calls]).toEqual([[['x', 1]], [['x', 1]]])
  await plugin.dispose()
  emit()
  expect([own.mock.calls.length, other.mock.calls.length]).toEqual([1, 2])
})

it('leaves no trace of the last listener, so that a dispatch that nobody hears can be left out', async () => {
  const app = new Context()
  const plugin = app.plugin({ apply: (ctx: Context) => listen(ctx, 'internal/dispatch', () => undefined) })
  await plugin
  expect(app.events._hooks['internal/dispatch']).toHaveLength(1)
  await plugin.dispose()
  expect('internal/dispatch' in app.events._hooks).toBe(false)
})
