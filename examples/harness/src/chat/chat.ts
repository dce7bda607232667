import { isSessionError, type Session, type SessionId } from '@dsh/session'
import type { Context } from 'cordis'
import type { AgentLoop } from '../agent/loop.ts'
import { stopApp, storageOf } from '../app.ts'
import { type Beginning, type Conversation, openConversation } from '../conversation.ts'
import { newSessionId } from '../settings.ts'
import { amount, describeCloser, describeError, describeHistory } from '../terminal/describe.ts'
import { Printer } from '../terminal/printer.ts'
import type { Screen } from '../terminal/screen.ts'
import { commands } from './commands.ts'

/** What a chat is made of. */
export interface ChatOptions {
  readonly app: Context
  readonly screen: Screen
  /** The directory that is worked on. */
  readonly directory: string
  /** Shown above the first conversation. */
  readonly greeting: string
  /** Whether prompts come from a script and are shown as they are taken up. */
  readonly isScripted: boolean
  /** Called when a turn or a command has ended and nothing else waits. */
  onIdle(): void
}

/** A person, one conversation at a time, and the commands to change it. */
export class Chat {
  readonly app: Context
  readonly screen: Screen
  readonly #options: ChatOptions
  readonly #left = Promise.withResolvers<void>()
  #conversation: Conversation | undefined
  /** Whether the conversation was begun here, and not brought back. */
  #isNew = false
  #interrupts = 0
  #compaction: AbortController | undefined
  #inputs: Promise<void> = Promise.resolve()
  /** Lines that have not been dealt with. */
  #waiting = 0
  #quitting: Promise<void> | undefined

  constructor(options: ChatOptions) {
    const { app, screen, isScripted } = options
    this.app = app
    this.screen = screen
    this.#options = options
    // Whoever leaves learns of a failure by waiting for `left`, be it later.
    this.#left.promise.catch(() => {})
    const printer = new Printer(screen, isScripted)
    app.on('session/event', (session, event) => printer.print(session, event))
    // The failure of a model request is none, and is shown where it happens.
    app.on('agent/error', (_, error) => {
      if (error instanceof Error) this.complain(error)
    })
    app.on('persistence/error', error => this.complain(error))
    app.on('session/violation', (_, { message }) => this.complain(message))
  }

  get session(): Session {
    return this.#conversation!.session
  }

  get loop(): AgentLoop {
    return this.#conversation!.loop
  }

  /** Whether a turn or a compaction is under way. */
  get isBusy(): boolean {
    return this.#conversation?.loop.isRunning === true || this.#compaction !== undefined
  }

  /** Resolves when the chat was left; rejects with what could not be made durable. */
  get left(): Promise<void> {
    return this.#left.promise
  }

  /** Opens the first conversation; what is typed meanwhile waits. @throws what kept it from being opened */
  start(id: string | undefined): Promise<void> {
    const opening = id === undefined ? this.begin() : this.resume(id)
    this.#inputs = opening.catch(() => {})
    return opening
  }

  /** A line that the person typed: a command, a prompt, or what a running turn is told. */
  input(line: string): void {
    this.#interrupts = 0
    this.#waiting++
    this.#inputs = this.#inputs.then(async () => {
      await this.#handle(line.trim()).catch(error => this.complain(error))
      if (this.#options.isScripted) await this.#conversation?.loop.idle()
      this.#waiting--
      this.#rest()
    })
  }

  /** Ctrl-C: aborts what is under way; the second in a row quits. */
  interrupt(): void {
    this.#interrupts++
    if (this.#interrupts > 1) {
      void this.quit()
      return
    }
    this.#compaction?.abort()
    const isAborted = this.#conversation?.loop.abort() === true || this.#compaction !== undefined
    this.screen.line(this.screen.style('dim', isAborted ? 'Aborted. Ctrl-C again quits.' : 'Ctrl-C again quits.'))
    this.#rest()
  }

  /** Begins a session. */
  begin(): Promise<void> {
    return this.#open({ kind: 'new', id: newSessionId('chat'), cwd: this.#options.directory })
  }

  /** Goes on with the stored session whose id this is, or begins like this. */
  async resume(start: string): Promise<void> {
    const { entries } = await this.app.sessionPersistence.list({ order: 'newest', limit: 1000 })
    const found = entries.map(({ id }) => id).filter(id => id.startsWith(start))
    const isKnown = found.includes(start as SessionId)
    if (!isKnown && found.length > 1) throw new Error(`${found.length} sessions begin like this: ${found.join(', ')}`)
    const id = isKnown ? start : (found[0] ?? start)
    if (id === this.#conversation?.session.id) return this.screen.line('This is the session you are in.')
    await this.#open({ kind: 'resume', id })
  }

  /** Goes on in a fork of the session behind a turn. */
  fork(turn: number): Promise<void> {
    return this.#open({ kind: 'fork', source: this.session, turn, id: newSessionId('chat') })
  }

  /** Goes on over the history as it is. */
  retry(): void {
    this.loop.retry().catch(error => this.complain(error))
    void this.loop.idle().then(() => this.#rest())
  }

  /** Summarises the history. */
  async compact(): Promise<void> {
    this.#compaction = new AbortController()
    try {
      const isDone = await this.app.agent.compact(this.session, this.#compaction.signal)
      if (!isDone) this.screen.line('There is nothing to summarise yet.')
    } finally {
      this.#compaction = undefined
    }
  }

  /** Ends the turn and leaves. */
  quit(): Promise<void> {
    this.#quitting ??= this.#leave()
    return this.#quitting
  }

  complain(error: unknown): void {
    this.tell(this.screen.style('red', `✗ ${describeError(error)}`))
  }

  /** Shows a line that nobody asked for. */
  tell(line: string): void {
    this.screen.line(line)
    this.#rest()
  }

  async #handle(text: string): Promise<void> {
    if (text === '' || this.#quitting !== undefined) return
    const [, name, argument = ''] = /^\/(\S+)\s*(.*)$/s.exec(text) ?? []
    if (name === undefined) return this.#say(text)
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command === undefined) throw new Error(`There is no /${name}; see /help.`)
    if (command.needsIdle) {
      if (this.loop.isInTurn) throw new Error('A turn is running. Ctrl-C aborts it.')
      await this.loop.idle()
    }
    await command.run(this, argument)
  }

  #say(text: string): void {
    const { loop } = this
    if (loop.isRunning && !this.#options.isScripted) loop.steer(text)
    else loop.prompt(text).catch(error => this.complain(error))
    void loop.idle().then(() => this.#rest())
  }

  async #open(beginning: Beginning): Promise<void> {
    const { screen } = this
    const next = await openConversation(this.app, beginning)
    if (this.#conversation === undefined) screen.line(this.#options.greeting)
    await this.#close()
    this.#conversation = next
    this.#isNew = beginning.kind === 'new'
    const { session, closers } = next
    screen.line(screen.style('dim', `session ${session.id}, ${amount(session.seq, 'event')}`))
    for (const line of describeHistory(session.deriveMessages(), screen.width - 1).slice(-SHOWN)) screen.line(line)
    if (closers.length === 0) return
    screen.line('The process ended in the middle of a turn, which was closed:')
    for (const closer of closers) screen.line(`  ${describeCloser(closer)}`)
    screen.line('/retry goes on.')
  }

  /** Closes the conversation; one in which nothing was said leaves nothing behind. */
  async #close(): Promise<void> {
    if (this.#conversation === undefined) return
    const { session, close } = this.#conversation
    await close()
    if (!this.#isNew || session.seq > 0) return
    await storageOf(this.app)
      .delete(session.id)
      .catch(error => {
        if (!isSessionError(error, 'SESSION_NOT_FOUND')) throw error
      })
  }

  async #leave(): Promise<void> {
    try {
      // A session that is closed between two backends is stored by neither.
      await this.app.get('stack')?.close()
      await this.#close()
      await stopApp(this.app)
      this.#left.resolve()
    } catch (error) {
      this.#left.reject(error)
    }
  }

  #rest(): void {
    if (!this.isBusy && this.#waiting === 0 && this.#quitting === undefined) this.#options.onIdle()
  }
}

/** Messages that are shown when a session is opened. */
const SHOWN = 6
