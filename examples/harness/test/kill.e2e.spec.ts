import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { SessionEvent } from '@dsh/session'
import { findViolations } from '@dsh/session-invariant'
import { integer, sample } from 'fast-check'
import { expect, it } from 'vitest'
import { startApp, stopApp } from '../src/app.ts'
import { openConversation } from '../src/conversation.ts'
import { chooseProvider } from '../src/model/choose-provider.ts'
import { delta, startOpenAiServer, streamed } from './support/openai-server.ts'
import { variants } from './support/variants.ts'
import type { VictimOptions, VictimReport } from './support/victim.ts'
import { directoryWith, temporaryDirectory } from './support/workspace.ts'

const victim = fileURLToPath(new URL('support/victim.ts', import.meta.url))
const rounds = process.env.DSH_FULL === undefined ? 3 : 40

/** Lets the victim append `moment` events and kills it. Returns the events it told of, and how many it called durable. */
async function runAndKill(options: VictimOptions, moment: number) {
  const child = fork(victim, [JSON.stringify(options)])
  const told = new Map<number, string>()
  let durable = 0
  child.on('message', (report: VictimReport) => {
    if (report.kind === 'durable') durable = Math.max(durable, report.events)
    else {
      told.set((JSON.parse(report.event) as SessionEvent).seq, report.event)
      if (told.size === moment) child.kill('SIGKILL')
    }
  })
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
  return { told, durable }
}

it.each(variants)(
  'loses nothing that was acknowledged, and leaves a history that a provider accepts, killed at any moment ($backend, rules: $rules)',
  { timeout: rounds * 10_000 },
  async ({ backend, rules: invariants }) => {
    const place = {
      directory: directoryWith({ 'a.ts': 'export const a = 1\n' }),
      sessions: temporaryDirectory(),
      backend,
      invariants,
    }
    const server = await startOpenAiServer(streamed(delta.text('I see.'), delta.finish('stop')))
    const env = { DSH_PROVIDER: 'openai-compatible', DSH_MODEL: 'local', DSH_BASE_URL: server.url }
    const moments = sample(integer({ min: 1, max: 900 }), { numRuns: rounds, seed: invariants === 'throw' ? 1 : 2 })
    const known = new Map<number, string>()
    let isStored = false
    for (const [round, moment] of moments.entries()) {
      const { told, durable } = await runAndKill({ ...place, isResumed: isStored }, moment)
      const where = `round ${round}, killed after ${moment} events, of which ${durable} were durable`

      const app = await startApp({ ...place, provider: await chooseProvider(env) })
      isStored ||= (await app.sessionPersistence.list()).entries.length > 0
      if (!isStored) {
        expect(durable, where).toBe(0)
        await stopApp(app)
        continue
      }
      const { session, closers, loop, close } = await openConversation(app, { kind: 'resume', id: 's' })
      const length = session.seq - closers.length
      expect(length, where).toBeGreaterThanOrEqual(durable)
      for (const [seq, event] of [...known, ...told]) {
        if (seq < length) expect(JSON.stringify(session.eventAt(seq)), `${where}, seq ${seq}`).toBe(event)
      }
      expect([...findViolations(session)], where).toEqual([])
      // The server refuses what a strict provider would.
      expect(await loop.retry(), where).toEqual({ kind: 'completed' })
      for (const event of session) known.set(event.seq, JSON.stringify(event))
      await close()
      await stopApp(app)
    }
    await server.close()
  },
)
