import { isSessionError, type Session } from '@dsh/session'
import type { Context } from 'cordis'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionStore } from '../src/index.js'
import { type Plugin, plug, settled, startApp } from './support/app.js'
import {
  type Command,
  commands,
  type Failure,
  type HookName,
  hookNames,
  type Id,
  ids,
  type Owner,
} from './support/lifecycle-commands.js'
import { type Journals, StoreModel } from './support/store-model.js'

class Veto extends Error {}

/** A store in an application with two owning plugins, driven by the commands. */
class Application {
  readonly journals: Journals = { before: [], behind: [] }
  readonly #ctx: Context
  readonly #plugins: Plugin[]
  readonly #armed = new Map<HookName, Failure>()
  readonly #stays: (() => void)[] = []
  /** The last session of each id, live or not. */
  readonly #known = new Map<Id, Session>()

  static async start(): Promise<Application> {
    const ctx = await startApp()
    return new Application(ctx, [await plug(ctx), await plug(ctx)])
  }

  private constructor(ctx: Context, plugins: Plugin[]) {
    this.#ctx = ctx
    this.#plugins = plugins
    this.#listen(this.journals.before)
    for (const hook of hookNames) ctx.on(hook, (() => this.#fail(hook)) as never)
    this.#listen(this.journals.behind)
  }

  get sessions(): SessionStore {
    return this.#ctx.sessions
  }

  /** Does it; returns `ok`, `veto`, or the code of the error. */
  async run(command: Command): Promise<string> {
    try {
      await this.#run(command)
      return 'ok'
    } catch (error) {
      if (error instanceof Veto) return 'veto'
      if (isSessionError(error)) return error.code
      throw error
    }
  }

  async #run(command: Command): Promise<void> {
    switch (command.do) {
      case 'create':
        this.#known.set(command.id, this.#as(command.owner).create(command.id))
        break
      case 'fork':
        this.#known.set(command.id, this.#as(command.owner).fork(command.source, undefined, command.id))
        break
      case 'enter': {
        const session = this.sessions.prepare(command.id)
        this.#stays.push(this.#as(command.owner).enter(session))
        this.#known.set(command.id, session)
        break
      }
      case 'announce':
        this.sessions.announce(this.#last(command.id))
        break
      case 'append':
        this.#known.get(command.id)?.append('todo/write', { todos: [] })
        break
      case 'flush':
        await this.sessions.flush(this.#last(command.id))
        break
      case 'detach':
        this.#stays[command.stay]?.()
        break
      case 'dispose':
        await this.#plugins[command.owner]!.fiber.dispose()
        this.#plugins[command.owner] = await plug(this.#ctx)
        break
      case 'arm':
        this.#armed.set(command.hook, command.failure)
        break
    }
  }

  #as(owner: Owner): SessionStore {
    return this.#plugins[owner]!.ctx.sessions
  }

  #last(id: Id): Session {
    return this.#known.get(id) ?? this.sessions.prepare(id)
  }

  #listen(journal: string[]): void {
    this.#ctx.on('session/created', session => void journal.push(`created ${session.id}`))
    this.#ctx.on('session/event', (session, event) => void journal.push(`event ${session.id} ${event.seq}`))
    this.#ctx.on('session/flush', session => void journal.push(`flush ${session.id}`))
    this.#ctx.on('session/disposed', session => void journal.push(`disposed ${session.id}`))
  }

  #fail(hook: HookName): Promise<never> | undefined {
    const failure = this.#armed.get(hook)
    this.#armed.delete(hook)
    if (failure === 'throw') throw new Veto(hook)
    return failure === 'reject' ? Promise.reject(new Veto(hook)) : undefined
  }
}

/** Takes what was heard since the last call. The sessions of one plugin leave in no particular order. */
function heard({ before, behind }: Journals, command: Command): string[][] {
  return [before, behind].map(journal => {
    const lines = journal.splice(0)
    return command.do === 'dispose' ? lines.sort() : lines
  })
}

describe('random lifecycles', () => {
  it('hold, tell and refuse what the model does', async () => {
    const run = async (script: readonly Command[]) => {
      const [model, app] = [new StoreModel(), await Application.start()]
      for (const command of script) {
        const outcome = await app.run(command)
        expect(outcome).toBe(model.run(command))
        expect(heard(app.journals, command)).toEqual(heard(model.journals, command))
        const announced = [...model.live].filter(([, entry]) => entry.announced)
        expect(app.sessions.list().map(session => session.id)).toEqual(announced.map(([id]) => id))
        for (const id of ids) expect(app.sessions.get(id)?.seq).toBe(model.live.get(id)?.seq)
      }
      await settled()
    }
    await fc.assert(fc.asyncProperty(commands, run), { numRuns: 150 })
  })
})
