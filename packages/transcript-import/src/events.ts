import type { JsonValue } from '@dsh/llm'

/** Where in a transcript something was read. The parts that apply are present. */
export interface ImportOrigin {
  /** The format that was read, for instance `claude-code`. */
  readonly format: string
  /** Line of the file, from 1. */
  readonly line?: number
  /** Which of several values on that line, from 1. */
  readonly item?: number
  /** Place in a JSON document, for instance `messages[3]`; empty for the document itself. */
  readonly path?: string
  /** Offset of the line, or of the damage in a document, in bytes from 0. */
  readonly byte?: number
}

declare module '@dsh/session' {
  interface SessionEventMap {
    /**
     * A source record that has no counterpart among the events, verbatim; or, with `rest`, the fields that were left of a
     * record after the others had become events. `kind` is what the source calls such records.
     */
    'import/record': {
      readonly origin: ImportOrigin
      readonly kind: string
      readonly record: JsonValue
      readonly rest?: true
    }
    /**
     * Bytes of the source that could not be read. `text` is what they say as far as it can be shown, at most the first
     * 65,536 UTF-16 units of it; `bytes` is how many there were.
     */
    'import/damaged': {
      readonly origin: ImportOrigin
      readonly reason: string
      readonly text: string
      readonly bytes: number
    }
    /** Something that the source says and the log has no field for, or a choice that the importer had to make. */
    'import/note': {
      readonly origin?: ImportOrigin
      /** What the note is about, as a short tag: `aborted`, `delegation`, `compaction`, … */
      readonly about: string
      readonly text: string
      readonly details?: JsonValue
    }
  }
}

declare module '@dsh/session' {
  interface TurnTriggerMap {
    /** The transcript does not say what started the turn. */
    unrecorded: { readonly kind: 'unrecorded' }
  }
}
