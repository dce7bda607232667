import type { OutlineStep, OutlineTurn } from '@dsh/session'
import { amount, isUsed, tokens } from '../format/number.js'
import { duration } from '../format/time.js'
import type { Course } from '../reading/course.js'
import type { Output } from '../terminal/output.js'
import { bold, cyan, dim, green, pad, red, yellow } from '../terminal/text.js'
import { describeReason, describeTrigger } from './summary.js'

/** How deep an outline goes. */
export const depths = ['turns', 'steps', 'tools'] as const

/** How deep an outline goes. */
export type Depth = (typeof depths)[number]

/** Columns that the names of tools are lined up in. */
const MOST_NAME = 24

/** Prints one turn: how it went, what it was asked, its steps, and the tools that they called. */
export function printTurn(out: Output, turn: OutlineTurn, course: Course, depth: Depth): void {
  const { prompts, injections, steering } = turn.counts
  const messages = [
    ...(prompts > 1 ? [amount(prompts, 'prompt')] : []),
    ...(injections > 0 ? [amount(injections, 'injection')] : []),
    ...(steering > 0 ? [`${steering} steering`] : []),
  ]
  const trigger = turn.trigger === undefined ? '' : describeTrigger(turn.trigger)
  out.clipped([
    bold(`turn ${turn.turn}`),
    '  ',
    describeEnd(turn),
    dim(['', ...spanFacts(turn, course), trigger, ...messages].join('  ')),
  ])
  const prompt = course.promptOf(turn)
  if (prompt !== undefined) out.clipped(['  ', green(prompt)])
  if (depth === 'turns') return
  for (const step of turn.steps) {
    out.clipped(['  ', `step ${step.step}`, dim(['', ...spanFacts(step, course)].join('  '))])
    if (depth === 'tools') printCalls(out, step, course)
  }
}

function describeEnd({ reason }: OutlineTurn) {
  if (reason === undefined) return yellow('open')
  const text = describeReason(reason)
  return text === 'completed' ? green(text) : red(text)
}

function spanFacts(span: OutlineTurn | OutlineStep, course: Course): string[] {
  const usage = course.tokensOf(span)
  const seqs = `#${span.startSeq}–${span.endSeq ?? ''}`
  return [duration(span.endTime - span.startTime), seqs, ...(isUsed(usage) ? [tokens(usage)] : [])]
}

function printCalls(out: Output, { calls }: OutlineStep, course: Course): void {
  const columns = Math.min(MOST_NAME, Math.max(0, ...calls.map(({ name }) => name.length)))
  for (const call of calls) {
    const { start, end } = course.timesOf(call)
    const time = start === undefined || end === undefined ? '' : duration(end - start)
    const outcome = call.resultSeq === undefined ? yellow('no result') : call.isError ? red('error') : green('ok')
    out.clipped(['    ', pad(cyan(call.name), columns), '  ', pad(outcome, 5), dim(`  ${time}`)])
  }
}
