import type { SessionListing, StoredSession } from '@dsh/persistence'
import type { OutlineCall, OutlineStep, OutlineTurn } from '@dsh/session'
import { sessionTokenTotals, title } from '@dsh/session'
import { defineCommand } from '../command.js'
import { findSession } from '../find-session.js'
import { amount, bytes, isUsed, tokens } from '../format/number.js'
import { isoTime, localTime } from '../format/time.js'
import { value } from '../option.js'
import { count, oneOf } from '../parse-value.js'
import { type Facts, printFacts } from '../printing/facts.js'
import { type Depth, depths, printTurn } from '../printing/outline.js'
import { type Course, courseOf } from '../reading/course.js'
import { bold, dim, yellow } from '../terminal/text.js'

export default defineCommand({
  about: 'Shows what is known of a session and outlines its turns, their steps, and the tools that each step called.',
  json:
    '{ id, header, state, bytes?, events, title?, tokens: { calls, total, inherited, own }, recovery?, idle, turns: ' +
    '[{ turn, trigger?, reason?, startSeq, endSeq?, startTime, endTime, tokens, counts, steps: [{ step, …, calls: ' +
    '[{ callId, name, callSeq?, resultSeq?, startTime?, endTime?, isError? }] }] }] }',
  args: [{ name: 'id', about: 'the session: its id, the start of it, or @latest', completes: 'session' }],
  options: {
    turns: value('n', 'only the last n turns', count('--turns')),
    depth: value('depth', 'how deep to go: turns, steps or tools', oneOf('--depth', depths), {
      completes: depths,
      fallback: 'tools',
    }),
  },
  examples: [
    { command: 'dsh-session show demo', about: 'The whole course of a session.' },
    { command: 'dsh-session show @latest --turns 1', about: 'The last turn of the session that was last at work.' },
  ],
  async run(context, [name], options) {
    const { json, out } = context
    const { persistence } = await context.store()
    const entry = await findSession(persistence, name!)
    const stored = await persistence.load(entry.id)
    const course = courseOf(stored.view)
    const all = course.outline.turns
    const turns = options.turns === undefined ? all : all.slice(Math.max(0, all.length - options.turns))
    const depth = options.depth ?? 'tools'
    if (json) {
      const shown = turns.map(turn => turnToJson(turn, course, depth))
      out.json({ ...toJson(stored, entry), idle: course.outline.idle, turns: shown })
      return 0
    }
    printFacts(out, factsOf(stored, entry, course))
    for (const turn of turns) {
      out.line()
      printTurn(out, turn, course, depth)
      await out.relieve()
    }
    return 0
  },
})

function factsOf({ header, view, recovery }: StoredSession, entry: SessionListing, course: Course): Facts {
  const { id, cwd, createdAt, parentSession, seedLength = 0, delegationDepth = 0 } = header
  const { total, inherited, calls } = sessionTokenTotals(view)
  const last = course.outline.turns.at(-1)
  const isOpen = last !== undefined && last.endSeq === undefined
  const torn = recovery && [...recovery.notes, `${bytes(recovery.cutBytes)} at the end hold no whole record`].join('; ')
  return [
    ['session', bold(id)],
    ['title', view.fold(title)],
    ['directory', cwd],
    ['created', localTime(createdAt)],
    ['parent', parentSession && [parentSession, dim(`  ${amount(seedLength, 'event')} inherited`)]],
    ['delegation', delegationDepth > 0 ? `depth ${delegationDepth}` : undefined],
    ['open', isOpen ? yellow(`turn ${last.turn}: somebody is at work in it, or died in it`) : undefined],
    ['torn', torn && yellow(torn)],
    ['stored', `${amount(view.seq, 'event')}${entry.bytes === undefined ? '' : `, ${bytes(entry.bytes)}`}`],
    ['tokens', isUsed(total) ? `${tokens(total)} in ${amount(calls, 'call')}` : undefined],
    ['of these', isUsed(inherited) ? `${tokens(inherited)} inherited` : undefined],
  ]
}

function toJson({ header, view, recovery }: StoredSession, { state, bytes }: SessionListing) {
  return {
    id: header.id,
    header: { ...header, createdAt: isoTime(header.createdAt) },
    state,
    bytes,
    events: view.seq,
    title: view.fold(title),
    tokens: sessionTokenTotals(view),
    recovery,
  }
}

function turnToJson(turn: OutlineTurn, course: Course, depth: Depth) {
  const { steps, ...facts } = turn
  return {
    ...facts,
    ...spanToJson(turn, course),
    ...(depth !== 'turns' && { steps: steps.map(step => stepToJson(step, course, depth)) }),
  }
}

function stepToJson(step: OutlineStep, course: Course, depth: Depth) {
  const { calls, ...facts } = step
  return {
    ...facts,
    ...spanToJson(step, course),
    ...(depth === 'tools' && { calls: calls.map(call => callToJson(call, course)) }),
  }
}

function callToJson(call: OutlineCall, course: Course) {
  const { start, end } = course.timesOf(call)
  return {
    ...call,
    ...(start !== undefined && { startTime: isoTime(start) }),
    ...(end !== undefined && { endTime: isoTime(end) }),
  }
}

function spanToJson(span: OutlineTurn | OutlineStep, course: Course) {
  return { startTime: isoTime(span.startTime), endTime: isoTime(span.endTime), tokens: course.tokensOf(span) }
}
