import type { Message } from '@dsh/llm'
import { deriveEventMessage } from './derive.js'
import type { SessionEvent } from './event.js'
import type { Surface, SurfaceLink, SurfaceRange } from './surface.js'

/**
 * The messages of a surface, kept in step with it: growth costs the new links, a replacement what it shadows. Entries
 * lie in surface order and are found by their links' order.
 */
export class MessageCache {
  readonly #surface: Surface
  readonly #eventAt: (seq: number) => SessionEvent
  readonly #orders: number[] = []
  readonly #messages: Message[] = []
  /** The last link that was looked at. */
  #last: SurfaceLink | undefined

  constructor(surface: Surface, eventAt: (seq: number) => SessionEvent) {
    this.#surface = surface
    this.#eventAt = eventAt
    surface.onReplace = (range, link) => this.#replaced(range, link)
  }

  /** A fresh array of the shared messages. */
  messages(): Message[] {
    let link = this.#last === undefined ? this.#surface.head : this.#last.next
    for (; link !== undefined; link = link.next) {
      const message = deriveEventMessage(this.#eventAt(link.seq))
      if (message !== null) {
        this.#orders.push(link.order)
        this.#messages.push(message)
      }
      this.#last = link
    }
    return this.#messages.slice()
  }

  #replaced(range: SurfaceRange, link: SurfaceLink): void {
    if (this.#last === undefined || range.first.order > this.#last.order) return
    const start = this.#firstAt(range.first.order)
    const shadowed = this.#firstAt(range.last.order + 1) - start
    if (range.last.order >= this.#last.order) {
      // The tail of what was looked at is gone: the next reading goes on from the link before the replacement.
      this.#orders.length = start
      this.#messages.length = start
      this.#last = link.prev
      return
    }
    const message = deriveEventMessage(this.#eventAt(link.seq))
    this.#orders.splice(start, shadowed, ...(message === null ? [] : [link.order]))
    this.#messages.splice(start, shadowed, ...(message === null ? [] : [message]))
  }

  #firstAt(order: number): number {
    let low = 0
    let high = this.#orders.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#orders[middle]! < order) low = middle + 1
      else high = middle
    }
    return low
  }
}
