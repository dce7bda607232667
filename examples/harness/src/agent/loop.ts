import { toolCalls, type UserMessage, userMessage } from '@dsh/llm'
import { recordTurn, type Session, type TurnEndReason, type TurnRecorder, type TurnTrigger } from '@dsh/session'
import { streamAnswer } from './answer.ts'
import { compactWhenFull } from './compaction.ts'
import type { LoopSetup } from './setup.ts'
import { refuseCalls, runCalls } from './tool-calls.ts'

/** A turn to be. */
interface Item {
  readonly trigger: TurnTrigger
  readonly prompt?: UserMessage
  done(reason?: TurnEndReason): void
}

/**
 * Runs the queue of one session. Each item is a turn: model calls and the tools that they ask for, until one asks for
 * none. The next item is claimed when the session was flushed.
 */
export class AgentLoop {
  readonly session: Session
  readonly #setup: LoopSetup
  readonly #queue: Item[] = []
  readonly #steering: UserMessage[] = []
  readonly #notices: UserMessage[] = []
  #turn: { readonly recorder: TurnRecorder; readonly abort: AbortController } | undefined
  #running: Promise<void> | undefined
  #isDisposed = false

  constructor(session: Session, setup: LoopSetup) {
    this.session = session
    this.#setup = setup
  }

  /** Whether a turn is under way, waits for its begin, or is being flushed. */
  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** Whether a turn is under way. */
  get isInTurn(): boolean {
    return this.#turn !== undefined
  }

  /**
   * Queues a prompt. Resolves when its turn has ended and was flushed; with undefined when there was no turn. Rejects with
   * LOOP_DISPOSED when the loop has ended.
   */
  prompt(text: string): Promise<TurnEndReason | undefined> {
    return this.#enqueue(promptTurn(userMessage(text)))
  }

  /**
   * Queues a turn over the history as it is, if there is any: to go on after an error, an abort or a crash. Settles as
   * {@link prompt} does.
   */
  async retry(): Promise<TurnEndReason | undefined> {
    const last = this.session.deriveMessages().at(-1)
    if (last === undefined) return undefined
    // Not every provider goes on from the middle of an answer.
    const prompt =
      last.role === 'assistant' ? userMessage('Go on.', { source: { kind: 'plugin', plugin: 'agent' } }) : undefined
    return this.#enqueue({ trigger: { kind: 'retry' }, ...(prompt !== undefined && { prompt }) })
  }

  /**
   * Tells the running turn something before its next model call. What no turn takes up becomes a prompt.
   * @throws LOOP_DISPOSED
   */
  steer(text: string): void {
    if (this.#isDisposed) throw new LoopDisposedError(this.session)
    if (this.#turn === undefined) void this.prompt(text)
    else this.#steering.push(userMessage(text))
  }

  /** Adds context without running the model: at once between turns, else before the next model call. */
  inject(plugin: string, text: string): void {
    this.#notices.push(userMessage(text, { source: { kind: 'plugin', plugin } }))
    if (!this.isRunning) this.#recordNotices()
  }

  /** Aborts the running turn. Returns whether there was one. */
  abort(): boolean {
    this.#turn?.abort.abort()
    return this.#turn !== undefined
  }

  /** Resolves when the queue is empty and everything was flushed. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  /** Ends the running turn as disposed and drops the queue. Resolves when whatever ran has stopped. */
  async dispose(): Promise<void> {
    this.#isDisposed = true
    for (const item of this.#queue.splice(0)) item.done()
    // At once: plugins end side by side, and the session may be about to leave.
    this.#turn?.recorder.dispose()
    this.abort()
    await this.idle()
  }

  #enqueue(item: Omit<Item, 'done'>): Promise<TurnEndReason | undefined> {
    if (this.#isDisposed) return Promise.reject(new LoopDisposedError(this.session))
    const { promise, resolve } = Promise.withResolvers<TurnEndReason | undefined>()
    this.#queue.push({ ...item, done: resolve })
    this.#running ??= this.#run()
    return promise
  }

  async #run(): Promise<void> {
    try {
      for (let item = this.#queue.shift(); item !== undefined; item = this.#queue.shift()) {
        let reason: TurnEndReason | undefined
        try {
          reason = await this.#runTurn(item)
          // What could not be stored is told, and tried again by the backend; it does not stop the work.
          if (!this.#isDisposed) await this.#checkpoint()
        } catch (error) {
          this.#report(error)
        } finally {
          item.done(reason)
        }
      }
    } finally {
      this.#running = undefined
    }
  }

  async #runTurn({ trigger, prompt }: Item): Promise<TurnEndReason | undefined> {
    const recorder = recordTurn(this.session, { trigger })
    const abort = new AbortController()
    this.#turn = { recorder, abort }
    try {
      if (prompt !== undefined) recorder.prompt(prompt)
      while (await this.#runStep(recorder, abort.signal));
      return recorder.close().data.reason
    } catch (error) {
      if (this.#isDisposed) return { kind: 'disposed' }
      if (abort.signal.aborted) return recorder.abort()?.data.reason
      this.#report(error)
      return recorder.fail(error)?.data.reason
    } finally {
      this.#turn = undefined
      if (!this.#isDisposed) this.#takeUpRest()
    }
  }

  /** One model call and the tools that it asks for. Returns whether the turn goes on. */
  async #runStep(turn: TurnRecorder, signal: AbortSignal): Promise<boolean> {
    const { session } = this
    const { provider, system, tools, limits } = this.#setup
    for (const notice of this.#notices.splice(0)) turn.prompt(notice)
    for (const message of this.#steering.splice(0)) turn.steer(message)
    await compactWhenFull(session, this.#setup, signal)

    const step = turn.step()
    const { config, contextWindow } = provider
    step.header({ config, system, tools: tools.map(tool => tool.schema) })
    if (contextWindow !== undefined) {
      step.context({ provider: config.provider, model: config.model, contextWindow })
    }
    await this.#checkpoint()

    const { message, isCut } = await streamAnswer(step, session, this.#setup, signal)
    if (isCut) refuseCalls(step)
    else await runCalls(step, session, this.#setup, signal)
    step.end()
    if (this.#steering.length === 0 && (isCut || toolCalls(message).length === 0)) return false
    if (step.step < limits.steps) return true
    throw new StepLimitError(limits.steps)
  }

  /** What came too late for the turn: context enters the history, and what was to steer it becomes the next prompt. */
  #takeUpRest(): void {
    const prompts = this.#steering.splice(0).map(message => ({ ...promptTurn(message), done() {} }))
    this.#queue.unshift(...prompts)
    this.#recordNotices()
  }

  #recordNotices(): void {
    for (const notice of this.#notices.splice(0)) this.session.append('user/message', notice, { surfaceOp: 'append' })
  }

  #checkpoint(): Promise<void> {
    return this.#setup.flush(this.session)
  }

  #report(error: unknown): void {
    this.#setup.report(this.session, error)
  }
}

function promptTurn(prompt: UserMessage): Pick<Item, 'trigger' | 'prompt'> {
  return { trigger: { kind: 'message', source: prompt.source }, prompt }
}

class LoopDisposedError extends Error {
  readonly code = 'LOOP_DISPOSED'

  constructor({ id }: Session) {
    super(`The loop on session ${JSON.stringify(id)} has ended and takes nothing more.`)
  }
}

class StepLimitError extends Error {
  readonly code = 'STEP_LIMIT'

  constructor(steps: number) {
    super(`The turn was stopped after ${steps} steps.`)
  }
}
