import { describe, expect, it } from 'vitest'
import { endsInTurn } from '../src/open-turn.js'

const line = (type: string) => `{"type":"${type}","seq":1,"time":1,"data":{"text":"{\\"type\\":\\"turn/end\\"}"}}\n`
const ends = (...types: string[]) =>
  endsInTurn(Buffer.from(`of a line that began earlier\n${types.map(line).join('')}`), false)

describe('endsInTurn', () => {
  it.each(['turn/start', 'step/start', 'step/end', 'tool/call', 'assistant/chunk', 'text-chunks', 'tool-call-chunks'])(
    'sees a turn that is open after %s',
    type => {
      expect(ends('turn/end', type)).toBe(true)
      expect(ends(type, 'user/message', 'plugin/fact', 'commit')).toBe(true)
      expect(ends(type, 'turn/end', 'user/message', 'commit')).toBe(false)
    },
  )

  it('sees none where nothing tells', () => {
    expect(ends()).toBe(false)
    expect(ends('user/message', 'plugin/fact')).toBe(false)
    expect(endsInTurn(Buffer.alloc(0), true)).toBe(false)
    expect(endsInTurn(Buffer.from('\n\n\n'), true)).toBe(false)
  })

  it('believes no line that the window cuts', () => {
    expect(endsInTurn(Buffer.from(line('turn/start')), false)).toBe(false)
    expect(endsInTurn(Buffer.from(line('turn/start')), true)).toBe(true)
    expect(endsInTurn(Buffer.from(`\n${line('turn/start').trimEnd()}`), true)).toBe(false)
  })
})
