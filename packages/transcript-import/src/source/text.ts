interface Decoder {
  decode(bytes: Uint8Array): string
}

// A global of every runtime, declared here because the package is compiled without the types of Node or of the DOM.
declare const TextDecoder: new (
  label: 'utf-8',
  options: { readonly fatal: boolean; readonly ignoreBOM: true },
) => Decoder

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

/** Bytes as text. Where they are not UTF-8, each wrong sequence becomes U+FFFD and `isExact` is false. */
export function decodeText(bytes: Uint8Array): { readonly text: string; readonly isExact: boolean } {
  try {
    return { text: strict.decode(bytes), isExact: true }
  } catch {
    return { text: lenient.decode(bytes), isExact: false }
  }
}
