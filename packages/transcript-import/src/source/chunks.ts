/** Pieces of a file, in order; where they are cut does not matter. */
export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/**
 * A transcript: its text, its bytes, or its chunks. A file is read two or three times, since a transcript says only at
 * its end which of its branches is the live one; so pass a function that opens it anew where it is too big to be kept.
 * The chunks of an iterable are kept.
 */
export type TranscriptSource = string | Uint8Array | Chunks | (() => Chunks)

/** A source that can be read more than once. */
export type OpenSource = () => Chunks

// Globals of every runtime, declared here because the package is compiled without the types of Node or of the DOM.
declare const TextEncoder: new () => { encode(text: string): Uint8Array }

/** Makes a source readable more than once. */
export function openSource(source: TranscriptSource): OpenSource {
  if (typeof source === 'function') return source
  if (typeof source === 'string') return once([new TextEncoder().encode(source)])
  if (source instanceof Uint8Array) return once([source])
  return kept(source)
}

function once(chunks: readonly Uint8Array[]): OpenSource {
  return () => chunks
}

function kept(source: Chunks): OpenSource {
  const seen: Uint8Array[] = []
  let whole = false
  const iterator = (async function* () {
    yield* source
  })()
  return async function* () {
    for (let at = 0; ; at++) {
      if (at === seen.length) {
        if (whole) return
        const next = await iterator.next()
        if (next.done === true) {
          whole = true
          return
        }
        seen.push(next.value)
      }
      yield seen[at]!
    }
  }
}
