import { describe, expect, it } from 'vitest'
import { decodeText } from '../../src/source/text.js'

describe('decodeText', () => {
  it('gives UTF-8 as it is, a byte order mark included', () => {
    expect(decodeText(new TextEncoder().encode('\ufeffhäl😀'))).toEqual({ text: '\ufeffhäl😀', isExact: true })
  })

  it('says where it had to put a replacement', () => {
    expect(decodeText(Uint8Array.of(0x61, 0xff, 0x62))).toEqual({ text: 'a\ufffdb', isExact: false })
  })
})
