import { describe, expect, it } from 'vitest'
import { withImages } from '../../../src/readers/deepseek-harness/images.js'

const attachment = { attachmentId: 'sha256:x', mediaType: 'image/png', width: 1 }
const image = { type: 'image', attachment }

describe('withImages', () => {
  it('makes images of attachments images by reference, and says what that leaves out', () => {
    const data = {
      message: { content: [{ type: 'tool-result', toolCallId: 'c', content: [image] }] },
      meta: { content: [image] },
    }
    expect(withImages({ type: 'tool/result', data, left: { a: 1 } })).toEqual({
      type: 'tool/result',
      data: {
        message: {
          content: [
            {
              type: 'tool-result',
              toolCallId: 'c',
              content: [{ type: 'image', mediaType: 'image/png', ref: 'sha256:x' }],
            },
          ],
        },
        meta: { content: [image] },
      },
      left: { a: 1, images: [attachment] },
    })
  })

  it('leaves other images, and other events, as they are', () => {
    const inline = { type: 'user/message', data: { content: [{ type: 'image', mediaType: 'image/png', data: 'AA' }] } }
    expect(withImages(inline)).toBe(inline)
    const other = { type: 'agent/inbox/spliced', data: { content: [image] } }
    expect(withImages(other)).toBe(other)
  })
})
