/**
 * One stored line: an event, or a packed run of stream deltas. The codec gives and takes them; a driver stores them
 * without looking inside.
 */
export interface StoredRow {
  /** Sequence number of the first event in the row. */
  readonly seq: number
  /** How many events the row holds. */
  readonly count: number
  /** Time of the last event in the row, Unix epoch milliseconds. */
  readonly time: number
  /** The event's type, or the bare tag of a packed run. */
  readonly type: string
  /** Whether the event carries a surface marker. */
  readonly surface: boolean
  /** The line as UTF-8 JSON, without a line feed. */
  readonly body: Uint8Array
}
