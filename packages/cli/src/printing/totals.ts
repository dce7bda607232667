import { amount, bytes, isUsed, number, tokens } from '../format/number.js'
import { duration, localTime } from '../format/time.js'
import type { Totals } from '../reading/totals.js'
import type { Output } from '../terminal/output.js'
import { type Column, layOutTable } from '../terminal/table.js'
import { red, type Text, yellow } from '../terminal/text.js'
import { printFacts } from './facts.js'

/** Prints a sum over sessions: first what there is, then tables of models, tools and event types. */
export function printTotals(out: Output, totals: Totals): void {
  const { states, bytes: size, events, turns, calls, tokens: usage, firstTime, lastTime } = totals
  printFacts(out, [
    [
      'sessions',
      [
        number(totals.sessions),
        states.unfinished > 0 ? yellow(`, ${number(states.unfinished)} unfinished`) : '',
        states.corrupt > 0 ? red(`, ${number(states.corrupt)} corrupt`) : '',
      ],
    ],
    ['stored', `${amount(events, 'event')}${size === undefined ? '' : `, ${bytes(size)}`}`],
    ['from', firstTime === undefined ? undefined : localTime(firstTime)],
    ['to', lastTime === undefined ? undefined : localTime(lastTime)],
    ['turns', number(turns)],
    ['tokens', isUsed(usage) ? `${tokens(usage)} in ${amount(calls, 'call')}` : undefined],
  ])
  printTable(
    out,
    [name('MODEL'), right('IN'), right('CACHED'), right('OUT')],
    totals.byTokens.map(([model, { inputTokens, outputTokens, cacheReadTokens = 0, reasoningTokens = 0 }]) => [
      model,
      number(inputTokens),
      cacheReadTokens > 0 ? number(cacheReadTokens) : '',
      number(outputTokens + reasoningTokens),
    ]),
  )
  printTable(
    out,
    [name('TOOL'), right('CALLS'), right('ERRORS'), right('TIME')],
    totals.byCalls.map(([tool, work]) => [
      tool,
      number(work.calls),
      work.errors > 0 ? red(number(work.errors)) : '0',
      duration(work.time),
    ]),
  )
  printTable(
    out,
    [name('TYPE'), right('EVENTS')],
    totals.byNumber.map(([type, count]) => [type, number(count)]),
  )
}

function printTable(out: Output, columns: readonly Column[], rows: readonly (readonly Text[])[]): void {
  if (rows.length === 0) return
  out.line()
  for (const row of layOutTable(columns, rows, out.columns)) out.line(row)
}

function name(title: string): Column {
  return { title, least: 12 }
}

function right(title: string): Column {
  return { title, align: 'right' }
}
