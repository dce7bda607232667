import { rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { userMessage } from '@dsh/llm'
import type { Session } from '@dsh/session'
import { SessionStore } from '@dsh/session-store'
import { Context } from 'cordis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { stopApp } from '../../src/app.ts'
import { type BackendName, databaseIn, mountBackend } from '../../src/backends.ts'
import type { StackNeeds } from '../../src/stack/change.ts'
import { Stack } from '../../src/stack/stack.ts'
import { directoryWith } from '../support/workspace.ts'

const store = "- name: '@dsh/session-store'\n"
const services = ['sessions', 'sessionPersistence']

/** A file that names plugins, and the directories beside it. */
class Home {
  readonly directory = directoryWith({})
  readonly file = join(this.directory, 'cordis.yml')
  readonly sessions = join(this.directory, 'sessions')
  readonly ctx = new Context()

  constructor() {
    onTestFinished(() => this.ctx.fiber.dispose())
  }

  write(text: string): void {
    writeFileSync(this.file, text)
  }

  mount(text: string, needs: StackNeeds = {}): Promise<Stack> {
    this.write(text)
    return Stack.mount(this.ctx, this.file, { services, kept: ['sessions'], ...needs })
  }

  /** An entry of a backend, with options that replace those that are right. */
  entry(backend: BackendName, options: string = this.options(backend)): string {
    return `- name: '@dsh/persistence-${backend}'\n  config:\n    ${options}\n`
  }

  options(backend: BackendName): string {
    return backend === 'jsonl' ? `root: ${this.sessions}` : `file: ${databaseIn(this.sessions)}`
  }

  /** The runs of the mounted plugins: another number for one that was restarted. */
  get runs(): readonly unknown[] {
    return Object.entries(this.ctx.loader.store).map(([id, { fiber }]) => [id, fiber!.uid])
  }

  say(session: Session, text: string): void {
    session.append('user/message', userMessage(text), { surfaceOp: 'append' })
  }

  /** The events of a session as a backend has stored them. */
  async stored(backend: BackendName, id: string): Promise<unknown[]> {
    const other = new Context()
    await other.plugin(SessionStore)
    await mountBackend(other, backend, this.sessions)
    const { view } = await other.sessionPersistence.load(id)
    const events = [...view]
    await other.fiber.dispose()
    return events
  }
}

const backends = ['jsonl', 'sqlite'] as const

describe.each(backends)('a file that names %s', backend => {
  const required = backend === 'jsonl' ? 'root' : 'file'
  const plugin = `@dsh/persistence-${backend}`

  it('mounts everything, and stores sessions', async () => {
    const home = new Home()
    await home.mount(
      [
        store,
        "- name: '@dsh/session-invariant'\n  config: { mode: throw, enclosure: strict }\n",
        "- name: '@dsh/compaction/invariant'\n",
        `${home.entry(backend)}    writeDelayMs: 0\n    durability: none\n`,
      ].join(''),
    )
    const { sessions, sessionPersistence } = home.ctx
    expect(sessionPersistence.manifest.name).toBe(backend)
    const session = sessions.create('s')
    session.append('turn/start', { turn: 1, trigger: { kind: 'retry' } })
    expect(() => session.append('turn/start', { turn: 2, trigger: { kind: 'retry' } })).toThrow('INVARIANT')
    await sessions.flush(session)
    expect(sessionPersistence.durableSeq(session)).toBe(1)
    await home.ctx.fiber.dispose()
    expect(await home.stored(backend, 's')).toEqual(session.events)
  })

  it.each([
    ['of its own', (path: string) => `['${path}'][0]`],
    ['with the names of Node', (path: string) => `process.getBuiltinModule('node:path').resolve('${path}')`],
    [
      'with the place of the file',
      (path: string) =>
        `process.getBuiltinModule('node:url').fileURLToPath(new URL('${basename(path)}', loader.config.baseUrl))`,
    ],
  ])('evaluates an expression %s, and takes entries in any order', async (_, expression) => {
    const home = new Home()
    const options = home.options(backend).replace(/: (.*)$/, (_, path) => `: !!js ${JSON.stringify(expression(path))}`)
    await home.mount(home.entry(backend, options) + store)
    expect(home.ctx.sessionPersistence.manifest.name).toBe(backend)
  })

  it.each<[text: string, path: string, expected: string, found: string, line: number]>([
    ['durability: none', required, 'an absolute path', 'nothing', 3],
    [`${required}: sessions`, required, 'an absolute path', '"sessions"', 4],
    [`${required}: 7`, required, 'an absolute path', '7', 4],
    [`${required}:`, required, 'an absolute path', 'null', 4],
    [`${required}: !!js undefined`, required, 'an absolute path', 'nothing', 4],
    [`${required}x: /x`, `${required}x`, `only the options ${required}, `, `"${required}x"`, 4],
    [`${required}: /x\n    durability: fast`, 'durability', '"fsync" or "none"', '"fast"', 5],
    [`${required}: /x\n    writeDelayMs: soon`, 'writeDelayMs', 'a number of milliseconds from 0', '"soon"', 5],
    [`${required}: /x\n    packChunks: yes`, 'packChunks', 'true or false', '"yes"', 5],
  ])('is refused with %j', async (options, path, expected, found, line) => {
    const home = new Home()
    await expect(home.mount(store + home.entry(backend, options))).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      plugin,
      path,
      expected: expect.stringContaining(expected),
      found,
      file: home.file,
      line,
    })
    expect(services.map(name => home.ctx.get(name))).toEqual([undefined, undefined])
  })

  it('goes over to the other one while sessions live, and loses none', async () => {
    const other = backend === 'jsonl' ? 'sqlite' : 'jsonl'
    const home = new Home()
    const stack = await home.mount(store + home.entry(backend))
    const { ctx } = home
    const earlier = ctx.sessions.create('earlier')
    home.say(earlier, 'one')
    await ctx.sessions.flush(earlier)
    const silent = ctx.sessions.create('silent')
    const fork = ctx.sessions.fork(earlier, 0, 'fork')
    home.say(fork, 'not flushed')

    home.write(store + home.entry(other))
    const changing = stack.reload()
    home.say(earlier, 'in between')
    expect(await changing).toEqual({ gone: [plugin], come: [`@dsh/persistence-${other}`] })
    expect(ctx.sessionPersistence.manifest.name).toBe(other)
    expect(ctx.sessions.list()).toEqual([earlier, silent, fork])
    home.say(earlier, 'afterwards')
    for (const session of ctx.sessions.list()) await ctx.sessions.flush(session)
    await ctx.sessionPersistence.close()
    await ctx.fiber.dispose()
    expect(await home.stored(other, 'earlier')).toEqual(earlier.events)
    expect(await home.stored(other, 'fork')).toEqual(fork.events)
    expect(await home.stored(backend, 'fork')).toEqual(fork.events)
    expect(await home.stored(backend, 'earlier')).toEqual(earlier.events.slice(0, -1))
  })

  it('keeps a session that it has resumed, through another one and back', async () => {
    const other = backend === 'jsonl' ? 'sqlite' : 'jsonl'
    const home = new Home()
    const stack = await home.mount(store + home.entry(backend))
    const { ctx } = home
    const owner = ctx.plugin({ name: 'owner', inject: ['sessions'], apply: ctx => void ctx.sessions.create('s') })
    await owner
    home.say(ctx.sessions.get('s')!, 'one')
    await owner.dispose()
    const { session, release } = await ctx.sessionPersistence.resume('s')
    for (const next of [other, backend] as const) {
      home.write(store + home.entry(next))
      await stack.reload()
      home.say(session, `on ${next}`)
      await ctx.sessions.flush(session)
      expect(ctx.sessionPersistence.durableSeq(session)).toBe(session.seq)
    }
    await release()
    expect(ctx.sessions.list()).toEqual([])
    await ctx.fiber.dispose()
    expect(await home.stored(backend, 's')).toEqual(session.events)
  })
})

describe('a file of plugins', () => {
  it.each([
    ["- name: '@dsh/nobody'\n", { plugin: '@dsh/nobody', expected: 'a plugin that can be imported', line: 2 }],
    ['- name: ./nobody.js\n', { plugin: './nobody.js', expected: 'a plugin that can be imported', line: 2 }],
    ["- name: '@dsh/compaction'\n", { plugin: '@dsh/compaction', expected: 'a plugin as the default export' }],
    [
      "- name: '@dsh/compaction/invariant'\n",
      { plugin: '@dsh/compaction/invariant', expected: 'a plugin that provides invariants', line: 2 },
    ],
    [
      "- name: '@dsh/session-invariant'\n  config: { mode: warn }\n",
      { plugin: '@dsh/session-invariant', path: 'mode', expected: '"throw" or "report"', found: '"warn"', line: 3 },
    ],
    [
      "- name: '@dsh/hook-protocol/invariant'\n  config: { strict: true }\n",
      { plugin: '@dsh/hook-protocol/invariant', path: 'strict', expected: 'no options', line: 3 },
    ],
    [
      "- name: '@dsh/persistence-jsonl'\n  config:\n    root: !!js there.is.none\n",
      {
        plugin: '@dsh/persistence-jsonl',
        path: 'root',
        expected: 'an expression that can be evaluated',
        found: 'there is not defined',
        line: 4,
      },
    ],
    [
      "- name: '@dsh/persistence-jsonl'\n  config:\n    durability: none\n    root: !!js process.cwdd()\n",
      { path: 'root', found: 'process.cwdd is not a function', line: 5 },
    ],
    [
      "- name: '@dsh/persistence-jsonl'\n  config:\n    root: /x\n    writeDelayMs: !!js '1 +'\n",
      { path: 'writeDelayMs', found: 'Unexpected end of input', line: 5 },
    ],
    [
      "- name: '@dsh/persistence-jsonl'\n  config:\n    durability: none\n    root: !!js import('./nobody.js')\n",
      { plugin: '@dsh/persistence-jsonl', path: 'root', expected: 'a value', found: 'a promise', line: 5 },
    ],
    [
      "- name: '@dsh/persistence-jsonl'\n  config:\n    root: /x\n  disabled: true\n",
      { expected: 'a plugin that provides sessionPersistence', found: 'none' },
    ],
  ])('is refused with %j, and nothing is mounted', async (text, error) => {
    const home = new Home()
    const mounting = home.mount(store + text)
    await expect(mounting).rejects.toMatchObject({ code: 'INVALID_CONFIG', file: home.file, ...error })
    expect(home.ctx.get('sessions')).toBeUndefined()
    expect(home.ctx.get('loader')).toBeUndefined()
  })

  it('is refused when it is not there', async () => {
    const home = new Home()
    const error = { code: 'INVALID_CONFIG', expected: 'a file that can be read', file: home.file }
    await expect(Stack.mount(home.ctx, home.file)).rejects.toMatchObject(error)
  })

  it('tells which plugin could not start, and stops the others', async () => {
    const home = new Home()
    const error = { code: 'STORAGE_FAILED', plugin: '@dsh/persistence-jsonl', file: '/dev/null/sessions' }
    await expect(home.mount(store + home.entry('jsonl', 'root: /dev/null/sessions'))).rejects.toMatchObject(error)
    expect(home.ctx.get('sessions')).toBeUndefined()
  })

  it('refuses two backends in one place, and takes them in two', async () => {
    const home = new Home()
    const both = store + home.entry('jsonl') + home.entry('sqlite')
    await expect(home.mount(both)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      plugin: '@dsh/persistence-sqlite',
      expected: expect.stringContaining('or `isolate: { sessionPersistence: true }` in the entry of this one'),
      found: 'JsonlPersistence beside it',
      line: 5,
    })
    await home.mount(`${both}  isolate: { sessionPersistence: true }\n`)
    const session = home.ctx.sessions.create('s')
    home.say(session, 'twice')
    await home.ctx.sessions.flush(session)
    await home.ctx.fiber.dispose()
    for (const backend of backends) expect(await home.stored(backend, 's')).toEqual(session.events)
  })

  it('finds plugins that lie beside it', async () => {
    const home = new Home()
    const place = join(home.directory, 'greeter.js')
    writeFileSync(place, "export default { name: 'greeter', apply: ctx => void ctx.provide('greeting', 'hello') }\n")
    await home.mount(`${store}${home.entry('jsonl')}- name: ./greeter.js\n`)
    expect(home.ctx.get('greeting')).toBe('hello')
  })

  it('refuses what the schema of a foreign plugin refuses', async () => {
    const home = new Home()
    const schema =
      "{ version: 1, vendor: 'x', validate: () => ({ issues: [{ message: 'too loud', path: ['volume'] }] }) }"
    writeFileSync(
      join(home.directory, 'horn.mjs'),
      `export default { name: 'horn', Config: { '~standard': ${schema} }, apply() {} }\n`,
    )
    await expect(home.mount(`${store}- name: ./horn.mjs\n  config:\n    volume: 11\n`)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      plugin: './horn.mjs',
      path: 'volume',
      found: 'too loud',
      line: 4,
    })
  })
})

describe('a file that changes', () => {
  it.each([
    ['is no YAML', () => '- name: @dsh/x\n'],
    ['has an option that is wrong', (home: Home) => store + home.entry('sqlite', 'file: sessions.sqlite')],
    ['names a storage that cannot be used', (home: Home) => store + home.entry('sqlite', 'file: /dev/null/x.sqlite')],
    ['names no backend', () => store],
    ['names no store', (home: Home) => home.entry('sqlite')],
  ])('changes nothing when it %s', async (_, text) => {
    const home = new Home()
    const good = store + home.entry('jsonl')
    const stack = await home.mount(good)
    home.write(text(home))
    await expect(stack.reload()).rejects.toMatchObject({
      code: expect.stringMatching(/^(INVALID_CONFIG|STORAGE_FAILED)$/),
    })
    expect(home.ctx.sessionPersistence.manifest.name).toBe('jsonl')
    const session = home.ctx.sessions.create('s')
    home.say(session, 'still here')
    await home.ctx.sessions.flush(session)
    expect(home.ctx.sessionPersistence.durableSeq(session)).toBe(1)
    home.write(good)
    expect(await stack.reload()).toEqual({ gone: [], come: [] })
  })

  it.each([
    ['drops it', (home: Home) => home.entry('jsonl'), 'none', undefined],
    [
      'changes its entry',
      (home: Home) => `- id: store\n  name: '@dsh/session-store'\n${home.entry('jsonl')}`,
      'a changed one',
      1,
    ],
    ['disables it', (home: Home) => `${home.entry('sqlite')}${store}  disabled: true\n`, 'a changed one', 4],
  ])('stops nothing when sessions live in the store and it %s', async (_, text, found, line) => {
    const home = new Home()
    const stack = await home.mount(store + home.entry('jsonl'))
    const { runs } = home
    const { sessions, sessionPersistence } = home.ctx
    const session = sessions.create('s')
    home.say(session, 'one')
    await sessions.flush(session)
    home.write(text(home))
    await expect(stack.reload()).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      expected: expect.stringContaining('the entry that provides sessions as it was'),
      plugin: '@dsh/session-store',
      found,
      file: home.file,
      ...(line !== undefined && { line }),
    })
    expect(home.ctx.sessions.list()).toEqual([session])
    expect(home.runs).toEqual(runs)
    home.say(session, 'two')
    await sessions.flush(session)
    expect(sessionPersistence.durableSeq(session)).toBe(2)
  })

  it('keeps the store, too, when what mounts it or what it waits for would go', async () => {
    const home = new Home()
    writeFileSync(
      join(home.directory, 'clock.js'),
      "export default { provide: 'clock', apply: ctx => void ctx.provide('clock', 1) }\n",
    )
    const inner = import.meta.resolve('@dsh/session-store')
    writeFileSync(
      join(home.directory, 'outer.js'),
      `import Store from '${inner}'\nexport default { name: 'outer', inject: ['clock'], async apply(ctx) { await ctx.plugin(Store) } }\n`,
    )
    const clock = '- name: ./clock.js\n'
    const outer = '- name: ./outer.js\n'
    const stack = await home.mount(clock + outer + home.entry('jsonl'))
    const session = home.ctx.sessions.create('s')
    for (const [text, plugin] of [
      [outer, './clock.js'],
      [`${clock}  config: { zone: utc }\n${outer}`, './clock.js'],
      [clock + store, './outer.js'],
    ]) {
      home.write(text + home.entry('jsonl'))
      await expect(stack.reload()).rejects.toMatchObject({ code: 'INVALID_CONFIG', plugin })
      expect(home.ctx.sessions.list()).toEqual([session])
    }
  })

  it('stops no plugin that is needed and has no successor', async () => {
    const home = new Home()
    const rules = "- name: '@dsh/session-invariant'\n"
    const more = "- name: '@dsh/compaction/invariant'\n"
    const stack = await home.mount(store + rules + more + home.entry('jsonl'))
    const { runs } = home
    home.write(store + rules + more)
    await expect(stack.reload()).rejects.toMatchObject({
      expected: 'a plugin that provides sessionPersistence',
      file: home.file,
    })
    home.write(store + more + home.entry('jsonl'))
    await expect(stack.reload()).rejects.toMatchObject({
      expected: 'a plugin that provides invariants',
      plugin: '@dsh/compaction/invariant',
      line: 2,
    })
    home.write(`${store}${rules}${more}${home.entry('sqlite')}  isolate: { sessionPersistence: true }\n`)
    await expect(stack.reload()).rejects.toMatchObject({ expected: 'a plugin that provides sessionPersistence' })
    expect(home.runs).toEqual(runs)
  })

  it('takes a plugin that does not say what it provides as a successor', async () => {
    const home = new Home()
    const stack = await home.mount(store + home.entry('jsonl'))
    const inner = import.meta.resolve('@dsh/persistence-sqlite')
    const options = JSON.stringify({ file: databaseIn(home.sessions) })
    writeFileSync(
      join(home.directory, 'outer.js'),
      `import Backend from '${inner}'\nexport default { name: 'outer', async apply(ctx) { await ctx.plugin(Backend, ${options}) } }\n`,
    )
    home.write(`${store}- name: ./outer.js\n`)
    await stack.reload()
    expect(home.ctx.sessionPersistence.manifest.name).toBe('sqlite')
  })

  it('restarts a plugin whose options have changed, and no other', async () => {
    const home = new Home()
    const stack = await home.mount(store + home.entry('jsonl'))
    const { sessions } = home.ctx
    const { runs } = home
    const session = sessions.create('s')
    home.say(session, 'one')
    home.write(`# Elsewhere.\n${store}${home.entry('jsonl', `root: ${home.sessions}-2`)}`)
    expect(await stack.reload()).toEqual({ gone: ['@dsh/persistence-jsonl'], come: ['@dsh/persistence-jsonl'] })
    expect(home.ctx.sessions.list()).toEqual([session])
    expect(home.runs[0]).toEqual(runs[0])
    expect(home.runs[1]).not.toEqual(runs[1])
    expect(home.ctx.sessionPersistence.locate(session.header)).toContain('sessions-2')
  })

  it.each([
    ['an id', (home: Home) => `${home.entry('jsonl')}  id: backend:main\n`],
    [
      'a URL for a name',
      (home: Home) =>
        home.entry('jsonl').replace('@dsh/persistence-jsonl', import.meta.resolve('@dsh/persistence-jsonl')),
    ],
  ])('changes and undoes an entry that has %s with a colon', async (_, entry) => {
    const home = new Home()
    const good = store + entry(home)
    const stack = await home.mount(good)
    home.write(good.replace('  config:\n', '  config:\n    writeDelayMs: 5\n'))
    expect((await stack.reload()).come).toHaveLength(1)
    home.write(good.replace(home.sessions, '/dev/null/sessions'))
    await expect(stack.reload()).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    home.write(good)
    expect((await stack.reload()).come).toHaveLength(1)
    expect(home.ctx.sessionPersistence.manifest.name).toBe('jsonl')
  })

  it.each([
    ['import', 'await new Promise(() => {})\nexport default { apply() {} }\n'],
    ['start', "export default { name: 'slow', apply: () => new Promise(() => {}) }\n"],
    [
      'start when what it waits for has come',
      "export default { inject: ['clock'], apply: () => new Promise(() => {}) }\n",
    ],
  ])('is taken back when a plugin does not end to %s, and followed further', async (_, text) => {
    const home = new Home()
    writeFileSync(join(home.directory, 'slow.js'), text)
    writeFileSync(join(home.directory, 'clock.js'), "export default { apply: ctx => void ctx.provide('clock', 1) }\n")
    const stack = await home.mount(store + home.entry('jsonl'), { startMs: 800 })
    home.write(`${store}- name: ./slow.js\n- name: ./slow.js\n  id: again\n${home.entry('sqlite')}- name: ./clock.js\n`)
    await expect(stack.reload()).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      expected: 'a plugin that starts within 0.8 s',
      found: 'one that is still starting',
      plugin: './slow.js',
      file: home.file,
      line: 2,
    })
    expect(home.ctx.sessionPersistence.manifest.name).toBe('jsonl')
    home.write(store + home.entry('sqlite'))
    expect((await stack.reload()).come).toEqual(['@dsh/persistence-sqlite'])
  })

  it('is taken back when a plugin that stays does not start again', async () => {
    const home = new Home()
    writeFileSync(
      join(home.directory, 'clock.js'),
      "export default { apply: (ctx, { now }) => void ctx.provide('clock', now) }\n",
    )
    writeFileSync(
      join(home.directory, 'slow.js'),
      "export default { inject: ['clock'], apply: ctx => ctx.clock === 2 ? new Promise(() => {}) : ctx.provide('slow', 1) }\n",
    )
    const at = (now: number) =>
      `${store}${home.entry('jsonl')}- name: ./slow.js\n- name: ./clock.js\n  config: { now: ${now} }\n`
    const stack = await home.mount(at(1), { startMs: 800 })
    home.write(at(2))
    await expect(stack.reload()).rejects.toMatchObject({ plugin: './slow.js', found: 'one that is still starting' })
    expect([home.ctx.get('clock'), home.ctx.get('slow')]).toEqual([1, 1])
    home.write(at(3))
    await stack.reload()
    expect(home.ctx.get('clock')).toBe(3)
  })

  it('stops a plugin that starts after it was given up', async () => {
    const home = new Home()
    writeFileSync(
      join(home.directory, 'slow.js'),
      `export default {
        name: 'slow',
        async apply(ctx) {
          await new Promise(resolve => ctx.on('go', resolve))
          return () => ctx.root.emit('stopped')
        },
      }\n`,
    )
    const { ctx } = home
    await expect(home.mount(`${store}- name: ./slow.js\n`, { startMs: 800 })).rejects.toThrow('0.8 s')
    const stopped = new Promise<void>(resolve => ctx.on('stopped' as never, (() => resolve()) as never))
    ctx.emit('go' as never)
    await stopped
  })

  it('can drop an entry that somebody else has taken out of the loader, and bring it back', async () => {
    const home = new Home()
    const place = join(home.directory, 'greeter.js')
    writeFileSync(place, "export default { name: 'greeter', apply: ctx => void ctx.provide('greeting', 'hello') }\n")
    const bare = store + home.entry('jsonl')
    const stack = await home.mount(`${bare}- name: ./greeter.js\n`)
    home.ctx.loader.remove('./greeter.js')
    home.write(bare)
    expect((await stack.reload()).gone).toEqual(['./greeter.js'])
    home.write(`${bare}- name: ./greeter.js\n`)
    await stack.reload()
    expect(home.ctx.get('greeting')).toBe('hello')
  })

  it('is followed in the order of its changes', async () => {
    const home = new Home()
    const stack = await home.mount(store + home.entry('jsonl'))
    home.write(store + home.entry('sqlite'))
    const first = stack.reload()
    const second = stack.reload()
    expect((await first).come).toEqual(['@dsh/persistence-sqlite'])
    expect((await second).come).toEqual([])
    rmSync(home.file)
    await expect(stack.reload()).rejects.toMatchObject({ expected: 'a file that can be read' })
    expect(home.ctx.sessionPersistence.manifest.name).toBe('sqlite')
  })

  it('is left alone once closed, when the change that is under way has ended', async () => {
    const home = new Home()
    const stack = await home.mount(store + home.entry('jsonl'))
    const session = home.ctx.sessions.create('s')
    home.write(store + home.entry('sqlite'))
    const changing = stack.reload()
    const closing = home.ctx.stack.close()
    home.say(session, 'meanwhile')
    const later = stack.reload()
    await closing
    expect((await changing).come).toEqual(['@dsh/persistence-sqlite'])
    home.write(store + home.entry('jsonl'))
    expect([await later, await stack.reload()]).toEqual([
      { gone: [], come: [] },
      { gone: [], come: [] },
    ])
    await stopApp(home.ctx)
    expect(await home.stored('sqlite', 's')).toEqual(session.events)
  })

  it('is stopped while one backend takes the place of another, and all is stored', async () => {
    const home = new Home()
    const stack = await home.mount(store + home.entry('jsonl'))
    const session = home.ctx.sessions.create('s')
    let stopping: Promise<void> | undefined
    home.ctx.on('internal/service', () => {
      if (stopping !== undefined || home.ctx.get('sessionPersistence') !== undefined) return
      home.say(session, 'in between')
      stopping = stopApp(home.ctx)
    })
    home.write(store + home.entry('sqlite'))
    await stack.reload()
    expect(stopping).toBeDefined()
    await stopping
    expect(session.seq).toBe(1)
    expect(await home.stored('sqlite', 's')).toEqual(session.events)
  })
})
