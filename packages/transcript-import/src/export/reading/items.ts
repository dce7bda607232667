import type { ContentBlock, MessageSource, TokenUsage } from '@dsh/llm'
import type { TurnTrigger } from '@dsh/session'

/** What a reader of a session sees of one message. */
export interface ReadMessage {
  readonly type: 'message'
  readonly seq: number
  readonly time: number
  readonly isSteering: boolean
  readonly source: MessageSource
  readonly label: string | undefined
  readonly content: readonly ContentBlock[]
  /** The event that took its place in what the model sees. */
  readonly hiddenBy: number | undefined
  /** The messages whose place it took. */
  readonly replaces: readonly number[]
}

/** An answer of the model with the calls that it makes. */
export interface ReadAnswer {
  readonly type: 'answer'
  readonly seq: number
  readonly time: number
  readonly provider: string
  readonly model: string
  /** Text, reasoning and images; the calls are apart. */
  readonly content: readonly ContentBlock[]
  readonly calls: ReadCall[]
  readonly usage: TokenUsage | undefined
  readonly hiddenBy: number | undefined
  readonly replaces: readonly number[]
}

/** A call and what came of it. */
export interface ReadCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
  result: ReadResult | undefined
}

/** What a tool answered. */
export interface ReadResult {
  readonly type: 'result'
  readonly seq: number
  readonly time: number
  readonly callId: string
  readonly content: readonly ContentBlock[]
  readonly isError: boolean
  readonly hiddenBy: number | undefined
  readonly replaces: readonly number[]
}

/** Something that is no message. */
export interface ReadFact {
  readonly type: 'fact'
  readonly seq: number
  readonly time: number
  readonly eventType: string
  /** What it says, where that is meant to be read. */
  readonly text: string | undefined
}

export type ReadItem = ReadMessage | ReadAnswer | ReadResult | ReadFact

/** A turn, or what lies between two. */
export interface ReadSection {
  /** Absent between turns. */
  readonly turn: number | undefined
  readonly trigger: TurnTrigger | undefined
  readonly startTime: number
  readonly endTime: number
  /** Why the turn ended, in words, where that was not because it was complete. */
  readonly ending: string | undefined
  readonly items: readonly ReadItem[]
  /** Tokens of the answers. */
  readonly usage: TokenUsage | undefined
}
