import { describe, expect, it } from 'vitest'
import { argumentsText, imageFromUrl, mediaTypeOf, toolCall } from '../src/content.js'

describe('argumentsText', () => {
  it('keeps text as the model wrote it, and writes what a source has parsed', () => {
    expect(argumentsText('{ "a": 1 }')).toBe('{ "a": 1 }')
    expect(argumentsText({ a: [1] })).toBe('{"a":[1]}')
    expect([argumentsText(undefined), argumentsText(null)]).toEqual(['{}', '{}'])
  })
})

describe('toolCall', () => {
  it('names a call that has no name', () => {
    expect([toolCall('c', undefined, {}), toolCall('c', '', {})].map(call => 'name' in call && call.name)).toEqual([
      'unknown',
      'unknown',
    ])
  })
})

describe('imageFromUrl', () => {
  it('holds what a data URL holds', () => {
    expect(imageFromUrl('data:image/png;base64,AAAA')).toEqual({ type: 'image', mediaType: 'image/png', data: 'AAAA' })
    expect(imageFromUrl('data:image/svg+xml;charset=utf-8;base64,AA')).toMatchObject({ mediaType: 'image/svg+xml' })
  })

  it('refers to any other, with the media type that is told or that the name tells', () => {
    expect(imageFromUrl('https://a.example/b.JPG?x=1')).toEqual({
      type: 'image',
      mediaType: 'image/jpeg',
      ref: 'https://a.example/b.JPG?x=1',
    })
    expect(imageFromUrl('sha256:x', 'image/png')).toMatchObject({ mediaType: 'image/png' })
    expect(mediaTypeOf('sha256:x')).toBe('image/*')
  })
})
