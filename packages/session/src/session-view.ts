import type { Message } from '@dsh/llm'
import { deriveEventMessage } from './derive.js'
import { requestContextFold, requestHeaderFold } from './epoch-header.js'
import type { SessionEvent } from './event.js'
import type { FoldDefinition } from './fold.js'
import type { SessionHeader, SessionId } from './header.js'
import type { EventLog } from './log/event-log.js'
import { MessageCache } from './message-cache.js'
import type { EpochHeader, RequestContext } from './request.js'
import { type SessionSurface, Surface, type SurfaceNode } from './surface.js'

/** The log of a view; for this package only. */
export let logOf: (view: SessionView) => EventLog
/** The surface of a view, brought up to its log; for this package only. */
export let surfaceOf: (view: SessionView) => Surface

interface FoldState {
  state: unknown
  seen: number
}

/** A log, whole or up to some point, and everything that is derived from it. Reading never changes it. */
export class SessionView {
  /** Creation metadata, deep-frozen. */
  readonly header: SessionHeader
  /**
   * The first seq that was appended in this process. Events below it came in through construction (a seed, a fork, a
   * resume) and were never published. Unlike `header.seedLength` it is not stored.
   */
  readonly firstLiveSeq: number
  /** The messages that the model sees, as positions in the log. The same object for the life of the session. */
  readonly surface: SessionSurface
  readonly #log: EventLog
  readonly #surface = new Surface()
  #surfaceSeen = 0
  #messages: MessageCache | undefined
  readonly #folds = new Map<FoldDefinition<unknown>, FoldState>()

  static {
    logOf = view => view.#log
    surfaceOf = view => view.#syncSurface()
  }

  /** Views are made by {@link SessionView.at}, sessions by their constructor. */
  protected constructor(header: SessionHeader, log: EventLog, firstLiveSeq: number) {
    this.header = header
    this.#log = log
    this.firstLiveSeq = firstLiveSeq
    this.surface = liveSurface(() => this.#syncSurface())
  }

  get id(): SessionId {
    return this.header.id
  }

  /** The next event's sequence number, which is the length of the log. */
  get seq(): number {
    return this.#log.length
  }

  /**
   * The whole log as a frozen array, the same one until the next append. Building it costs the length of the log and
   * decodes every stored row: to follow a growing log, use {@link SessionView.slice} from where you were.
   */
  get events(): readonly SessionEvent[] {
    return this.#log.snapshot()
  }

  /** The event at `seq`. @throws INVALID_BOUNDARY outside the log */
  eventAt(seq: number): SessionEvent {
    return this.#log.at(seq)
  }

  /** The events from `from` to before `to`. @throws INVALID_BOUNDARY for a range outside the log */
  slice(from?: number, to?: number): SessionEvent[] {
    return this.#log.slice(from, to)
  }

  /** The events from `from` to before `to`, without an array. @throws INVALID_BOUNDARY for a range outside the log */
  iterate(from?: number, to?: number): IterableIterator<SessionEvent> {
    return this.#log.iterate(from, to)
  }

  [Symbol.iterator](): IterableIterator<SessionEvent> {
    return this.#log.iterate()
  }

  /**
   * The state of a fold over the log. Each event is applied once, when first seen; the state is kept for as long as the
   * session, by definition object.
   */
  fold<State>(definition: FoldDefinition<State>): State {
    const known = this.#folds.get(definition)
    const length = this.#log.length
    if (known?.seen === length) return known.state as State
    let state = known === undefined ? definition.initial() : (known.state as State)
    this.#log.scan(known?.seen ?? 0, definition, event => {
      state = definition.apply(state, event)
    })
    if (known === undefined) this.#folds.set(definition, { state, seen: length })
    else {
      known.state = state
      known.seen = length
    }
    return state
  }

  /** The request header in force, in canonical form: the last one recorded. */
  requestHeader(): EpochHeader | undefined {
    return this.fold(requestHeaderFold)
  }

  /** The route capacity in force: the last one recorded, whether or not its route is still the header's. */
  requestContext(): RequestContext | undefined {
    return this.fold(requestContextFold)
  }

  /**
   * The message history that the model sees: the surface's events, projected by {@link SessionView.deriveEventMessage}.
   * @returns a fresh array of shared, deep-frozen messages
   */
  deriveMessages(): Message[] {
    const surface = this.#syncSurface()
    this.#messages ??= new MessageCache(surface, seq => this.#log.at(seq))
    return this.#messages.messages()
  }

  /** The message that one event puts into the history, or null; see {@link deriveEventMessage}. */
  deriveEventMessage(event: SessionEvent): Message | null {
    return deriveEventMessage(event)
  }

  /**
   * The session as it was when its next sequence number was `seq`: the same API over the events below `seq`.
   * @throws INVALID_BOUNDARY when the log is shorter
   */
  at(seq: number): SessionView {
    return new SessionView(this.header, this.#log.prefix(seq), Math.min(this.firstLiveSeq, seq))
  }

  #syncSurface(): Surface {
    const length = this.#log.length
    if (this.#surfaceSeen < length) {
      this.#log.scanSurface(this.#surfaceSeen, (seq, marked) => this.#surface.apply(seq, marked.surfaceOp))
      this.#surfaceSeen = length
    }
    return this.#surface
  }
}

/** The public face of a surface: it can be read at any time and cannot be written. */
function liveSurface(sync: () => Surface): SessionSurface {
  return Object.freeze({
    get nodes(): readonly number[] {
      return sync().nodes
    },
    get replaceGeneration(): number {
      return sync().replaceGeneration
    },
    node: (seq: number): SurfaceNode | undefined => sync().node(seq),
  })
}
