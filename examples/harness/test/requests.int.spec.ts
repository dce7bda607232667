import { providerTranscript } from '@dsh/llm'
import type { SessionView } from '@dsh/session'
import { findViolations } from '@dsh/session-invariant'
import { SessionStore } from '@dsh/session-store'
import { Context } from 'cordis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startApp, stopApp } from '../src/app.ts'
import { type BackendName, mountBackend } from '../src/backends.ts'
import { type Beginning, openConversation } from '../src/conversation.ts'
import { chooseProvider } from '../src/model/choose-provider.ts'
import { OfflineProvider } from '../src/model/offline/provider.ts'
import type { Provider } from '../src/model/provider.ts'
import { collect } from './support/collect.ts'
import { delta, event, failed, type Reply, rawStream, startOpenAiServer, streamed } from './support/openai-server.ts'
import { rebuiltRequests, recording } from './support/rebuilt-requests.ts'
import { variants } from './support/variants.ts'
import { directoryWith, temporaryDirectory } from './support/workspace.ts'

const files = {
  'a.ts': 'export const a = 1\n',
  'b.ts': `${'// b\n'.repeat(300)}export const b = 2\n`,
  'README.md': '# Files\n',
}

interface Place {
  readonly directory: string
  readonly sessions: string
  readonly backend: BackendName
  readonly invariants: 'throw' | 'off'
}

/** Runs prompts in a process of their own, so to speak: the application is started before and stopped after them. */
async function run(
  place: Place,
  provider: Provider,
  beginning: Beginning | ((app: Context) => Promise<Beginning>),
  prompts: readonly (string | undefined)[],
): Promise<void> {
  const app = await startApp({ provider, ...place, limits: { retryDelayMs: 0 } })
  try {
    const begin = typeof beginning === 'function' ? await beginning(app) : beginning
    const { loop, close } = await openConversation(app, begin)
    for (const prompt of prompts) await (prompt === undefined ? loop.retry() : loop.prompt(prompt))
    await close()
  } finally {
    await stopApp(app)
  }
}

/** The log as it lies in the storage. */
async function stored({ backend, sessions }: Place, id: string): Promise<SessionView> {
  const ctx = new Context()
  await ctx.plugin(SessionStore)
  await mountBackend(ctx, backend, sessions)
  onTestFinished(() => ctx.fiber.dispose())
  return (await ctx.sessionPersistence.load(id)).view
}

function fork(turn: number, id: string) {
  return async (app: Context): Promise<Beginning> => {
    const { session } = await openConversation(app, { kind: 'resume', id: 's' })
    return { kind: 'fork', source: session, turn, id }
  }
}

/** The rules hold, and an adapter has nothing to mend but the order of results, which come as the tools end. */
function expectSound(log: SessionView): void {
  expect([...findViolations(log)]).toEqual([])
  const changes = rebuiltRequests(log).flatMap(({ messages }) => providerTranscript(messages).changes)
  expect(changes.filter(({ kind }) => kind !== 'result-moved')).toEqual([])
}

describe.each(variants)(
  'on $backend with the rules in mode $rules, every request is what the stored log says',
  ({ backend, rules: invariants }) => {
    it('of the planner', async () => {
      const place = { directory: directoryWith(files), sessions: temporaryDirectory(), backend, invariants }
      const provider = recording(new OfflineProvider({ contextWindow: 4_000 }))
      const beginning = { kind: 'new', id: 's', cwd: place.directory } as const
      await run(place, provider, beginning, [
        'Find the 2 longest files, search for "export" and write it to out.md',
        'Run `cat b.ts`',
        'What have we done so far?',
      ])
      await run(place, provider, { kind: 'resume', id: 's' }, ['Read README.md', undefined])
      const first = provider.sent.length
      await run(place, provider, fork(1, 'child'), ['Search for "b"', 'What have we done so far?'])

      const log = await stored(place, 's')
      expect(log.surface.replaceGeneration).toBeGreaterThan(0)
      expect(rebuiltRequests(log).map(request => JSON.stringify(request))).toEqual(provider.sent.slice(0, first))
      expectSound(log)

      const child = await stored(place, 'child')
      const own = rebuiltRequests(child).slice(first - provider.sent.length)
      expect(own.map(request => JSON.stringify(request))).toEqual(provider.sent.slice(first))
      expectSound(child)
    })

    it.each(['openai-compatible', 'deepseek'])('of a model behind the wire, called through %s', async name => {
      const usage = delta.usage(900, 20)
      const replies: readonly Reply[] = [
        failed(503, 'busy', { 'retry-after': '0' }),
        streamed(
          delta.reasoning('Both.'),
          delta.text('I read both.'),
          delta.call(0, 'x', 'read_file', '{"path": "a.ts"}'),
          delta.call(1, 'y', 'read_file', '{ "path":"nope" }'),
          delta.finish('tool_calls'),
        ),
        rawStream([event(delta.text('They a'))], 'torn'),
        streamed(delta.text('They are read.'), delta.finish('stop'), usage),
        streamed(delta.text('a.ts was read, nope is not there.'), delta.finish('stop')),
        streamed(delta.text('Cut'), delta.call(0, 'z', 'write_file', '{"path": "x'), delta.finish('length')),
        rawStream([event(delta.text('On')), 'data: [{]\n\n']),
        streamed(delta.call(0, 'x', 'list_files'), delta.finish('tool_calls')),
        streamed(delta.text('Listed.'), delta.finish('stop'), delta.usage(10, 2)),
        failed(400, 'no'),
        streamed(delta.text('Again.'), delta.finish('stop')),
      ]
      const server = await startOpenAiServer(...replies)
      onTestFinished(() => server.close())
      const env = { DSH_PROVIDER: name, DSH_MODEL: 'local', DSH_API_KEY: 'k', DSH_CONTEXT_WINDOW: '1000' }
      const provider = recording(await chooseProvider({ ...env, DSH_BASE_URL: server.url }))
      const place = { directory: directoryWith(files), sessions: temporaryDirectory(), backend, invariants }
      const beginning = { kind: 'new', id: 's', cwd: place.directory } as const
      await run(place, provider, beginning, ['Read both.', 'Write x.', 'Go on.'])
      await run(place, provider, { kind: 'resume', id: 's' }, ['And?', undefined])

      const log = await stored(place, 's')
      const requests = rebuiltRequests(log)
      expect(requests.map(request => JSON.stringify(request))).toEqual(provider.sent)
      expect(provider.sent).toHaveLength(replies.length)
      expect(log.surface.replaceGeneration).toBe(1)
      expectSound(log)

      // The same bytes go over the wire when the requests are sent again as the log has them.
      const mirror = await startOpenAiServer(streamed(delta.finish('stop')))
      onTestFinished(() => mirror.close())
      const again = await chooseProvider({ ...env, DSH_BASE_URL: mirror.url })
      for (const request of requests) await collect(again.stream(request, new AbortController().signal))
      expect(mirror.bodies).toEqual(server.bodies)
    })
  },
)
