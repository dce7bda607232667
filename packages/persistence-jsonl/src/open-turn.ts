const LINE_FEED = 0x0a
const LONGEST_TYPE = 64

const opensOrLiesInTurn = new Set([
  'turn/start',
  'step/start',
  'step/end',
  'assistant/chunk',
  'text-chunks',
  'reasoning-chunks',
  'tool-call-chunks',
  'tool/call',
])

/**
 * Whether the whole lines in `window` end inside a turn, by the last of them that tells. Messages do not: a rewrite puts
 * them outside of turns as well.
 * @param atLineStart whether a line starts where the window does
 */
export function endsInTurn(window: Buffer, atLineStart: boolean): boolean {
  for (let end = window.lastIndexOf(LINE_FEED); end > 0; ) {
    const before = window.lastIndexOf(LINE_FEED, end - 1)
    if (before < 0 && !atLineStart) return false
    const line = window.toString('latin1', before + 1, Math.min(end, before + 1 + LONGEST_TYPE))
    const type = /^\{"type":"([^"\\]+)"/.exec(line)?.[1]
    if (type === 'turn/end') return false
    if (type !== undefined && opensOrLiesInTurn.has(type)) return true
    end = before
  }
  return false
}
