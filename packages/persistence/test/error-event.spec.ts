import type { SessionError } from '@dsh/session'
import { expect, it, vi } from 'vitest'
import { grow, mount, startApp } from './app.js'
import { FaultyDriver, failure } from './faulty-driver.js'
import { MemoryDriver, MemoryStorage } from './memory-driver.js'

async function failOnce(listen: (ctx: Awaited<ReturnType<typeof startApp>>) => void) {
  const ctx = await startApp()
  const driver = new FaultyDriver(new MemoryDriver(new MemoryStorage()))
  const { errors } = await mount(ctx, driver)
  listen(ctx)
  const session = ctx.sessions.create('s')
  grow(session)
  driver.plan('create', { before: failure() })
  await expect(ctx.sessions.flush(session)).rejects.toThrow()
  await ctx.sessions.flush(session)
  return { ctx, errors }
}

it('reaches every listener, whatever the others do, and never the writer', async () => {
  const heard: string[] = []
  const { errors, ctx } = await failOnce(ctx => {
    ctx.on('persistence/error', () => {
      throw new Error('a listener that throws')
    })
    ctx.on('persistence/error', (async () => {
      throw new Error('a listener that rejects')
    }) as never)
    ctx.on('persistence/error', error => {
      heard.push(error.code)
    })
  })
  expect(heard).toEqual(['STORAGE_FAILED'])
  expect(errors).toHaveLength(1)
  await vi.waitFor(() =>
    expect(logged(ctx)).toEqual(expect.arrayContaining(['a listener that throws', 'a listener that rejects'])),
  )
})

it('is logged even if nobody listens', async () => {
  const { ctx } = await failOnce(() => {})
  expect(logged(ctx)).toContain('STORAGE_FAILED: expected success, found a planned STORAGE_FAILED')
})

it('does not fail when the log does', async () => {
  const { errors } = await failOnce(ctx => {
    ctx.logger.exporter({
      export() {
        throw new Error('the log is full')
      },
    })
  })
  expect(errors).toHaveLength(1)
})

it('reaches the listeners of its own isolate only', async () => {
  const ctx = await startApp()
  const driver = new FaultyDriver(new MemoryDriver(new MemoryStorage()))
  const left = await mount(ctx, new MemoryStorage())
  const right = await mount(ctx.isolate('sessionPersistence'), driver)
  const session = ctx.sessions.create('s')
  driver.plan('create', { before: failure() })
  await expect(ctx.sessions.flush(session)).rejects.toThrow()
  expect(
    [left.errors, right.errors].map(errors => errors.map(({ error }: { error: SessionError }) => error.code)),
  ).toEqual([[], ['STORAGE_FAILED']])
})

function logged(ctx: Awaited<ReturnType<typeof startApp>>): string[] {
  return ctx.logger.buffer.flatMap(message =>
    message.args.map(arg => (arg instanceof Error ? arg.message : String(arg))),
  )
}
