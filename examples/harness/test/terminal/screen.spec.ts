import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Screen } from '../../src/terminal/screen.ts'
import { outputOf } from '../support/output.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

describe('Screen', () => {
  it('puts lines on lines of their own', () => {
    const output = outputOf()
    const screen = new Screen(output)
    screen.write('one ')
    screen.write('')
    screen.write('two')
    screen.line('three')
    screen.endLine()
    screen.line()
    expect(output.text).toBe('one two\nthree\n\n')
  })

  it('shows no colours and nothing that moves anywhere but on a terminal', () => {
    const output = outputOf()
    const screen = new Screen(output)
    screen.line(screen.style('red', 'plain'))
    screen.status('working')
    vi.advanceTimersByTime(1000)
    screen.clear()
    screen.line('done')
    expect(output.text).toBe('plain\ndone\n')
    expect(screen.width).toBe(100)
  })

  it('moves its status on a terminal until something is written', () => {
    const output = outputOf({ isTTY: true, columns: 20 })
    const screen = new Screen(output)
    screen.status('working on something long')
    vi.advanceTimersByTime(250)
    screen.line('done')
    vi.advanceTimersByTime(1000)
    expect(stripVTControlCharacters(output.text)).toBe(
      '⠋ working on someth⠙ working on someth⠹ working on somethdone\n',
    )
    expect(output.text.endsWith('\x1b[1G\x1b[2Kdone\n')).toBe(true)
  })

  it('does not draw a status into a line that has begun', () => {
    const output = outputOf({ isTTY: true })
    const screen = new Screen(output)
    screen.write('half a line')
    screen.status('working')
    expect(output.text).toBe('half a line')
  })

  it('keeps back what is written while the person types', () => {
    const output = outputOf({ isTTY: true })
    const screen = new Screen(output)
    screen.hold()
    screen.line('one')
    screen.status('working')
    screen.hold()
    screen.line('two')
    expect([output.text, screen.isHeld]).toEqual(['', true])
    screen.release()
    screen.release()
    expect([output.text, screen.isHeld]).toEqual(['one\ntwo\n', false])
  })

  it('writes in the place of a prompt', () => {
    const output = outputOf({ isTTY: true })
    const screen = new Screen(output)
    screen.prompted(true)
    screen.line('told')
    screen.line('more')
    expect(output.text).toBe('\x1b[1G\x1b[2Ktold\nmore\n')
  })
})
