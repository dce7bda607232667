import { describe, expect, it } from 'vitest'
import * as codec from '../../src/codec/index.js'

describe('the codec', () => {
  it('shows its operations and none of its parts', () => {
    expect(Object.keys(codec).sort()).toEqual(['decodeRow', 'describeRow', 'encodeRows', 'isPackedTag', 'readMarker'])
  })
})
