import { Writable } from 'node:stream'
import type { Output } from '../../src/terminal/screen.ts'

/** An output that keeps what it is given. */
export function outputOf(
  options: { readonly isTTY?: boolean; readonly columns?: number } = {},
): Output & { readonly text: string } {
  let text = ''
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      text += chunk
      done()
    },
  })
  return Object.defineProperties(stream, {
    ...Object.getOwnPropertyDescriptors(options),
    text: { get: () => text },
  }) as Writable & { readonly text: string }
}
