import { jsonEquals, type Message } from '@dsh/llm'
import type { Action, Part, Task } from './action.ts'
import { describeExchange, exchangesIn } from './exchange.ts'
import { describeFile, lookAround, runIt, searchFor, writeIt } from './file-tasks.ts'
import { longestFiles } from './longest-files.ts'
import { type Reading, readTranscript } from './transcript.ts'

/** Something that can be asked for. */
interface Skill {
  readonly pattern: RegExp
  /** How a todo list calls it. */
  title(match: RegExpExecArray): string
  /** @param before what the request has brought so far, else the last answer */
  run(match: RegExpExecArray, reading: Reading, before: string): Part<string>
}

const skills: readonly Skill[] = [
  {
    pattern: /\b(?:(\d+) )?(?:longest|largest|biggest)\b.*?\bfiles?\b/i,
    title: () => 'Find the longest source files',
    run: ([, count]) => longestFiles(Math.min(Number(count ?? 3), 10)),
  },
  {
    pattern: /\bsearch\b[^"`]*["`]([^"`]+)["`]/i,
    title: ([, text]) => `Search for "${text}"`,
    run: ([, text]) => searchFor(text!),
  },
  {
    pattern: /\b(?:read|show|describe)\s+[`"]?([\w./-]+\.\w+)/i,
    title: ([, path]) => `Read ${path}`,
    run: ([, path]) => describeFile(path!),
  },
  {
    pattern: /\brun\s+`([^`]+)`/i,
    title: () => 'Run the command',
    run: ([, command]) => runIt(command!),
  },
  {
    pattern: /\b(?:write|save)\b[^`"]*?\b(?:to|into|in)\s+[`"]?([\w./-]+\.\w+)/i,
    title: ([, path]) => `Write ${path}`,
    run: ([, path], _, before) => writeIt(path!, before),
  },
  {
    pattern: /\bso far\b|\brecap\b|\bremember\b/i,
    title: () => 'Look back',
    run: (_, reading) => recap(reading),
  },
]

/** What the planner does next about a transcript, or its answer. */
export function plan(messages: readonly Message[]): Action {
  const reading = readTranscript(messages)
  const { step } = replay(reading)
  if (!step.done) return step.value
  const noted = reading.notices.map(notice => `(Noted: ${notice})\n`).join('')
  return { say: noted + step.value, calls: [] }
}

/** The answers to those parts of the open request that are done. */
export function partsDone(reading: Reading): readonly string[] {
  return replay(reading).parts
}

/** Runs the task from its start over what has been done already. */
function replay(reading: Reading) {
  const parts = [...reading.parts]
  const task = taskOf(reading, parts)
  let step = task.next()
  for (const { calls, results } of reading.rounds) {
    // Rounds of another model, or of another plan, are none of this task's.
    if (!step.done && jsonEquals(calls, step.value.calls)) step = task.next(results)
  }
  return { step, parts }
}

/** @param parts the answers to the parts that are done; it grows */
function* taskOf(reading: Reading, parts: string[]): Task {
  const { ask } = reading
  if (ask === undefined) return 'What shall I do?'
  const asked = skills
    .flatMap(skill => {
      const match = skill.pattern.exec(ask)
      return match === null ? [] : [{ skill, match }]
    })
    .sort((a, b) => a.match.index - b.match.index)
  if (asked.length === 0) return yield* lookAround()
  const titles = asked.map(({ skill, match }) => skill.title(match))
  for (const [at, { skill, match }] of asked.entries()) {
    if (at < parts.length) continue
    const before = parts.join('\n\n') || reading.earlier.at(-1)?.answer || reading.summaries.join('\n')
    const part = skill.run(match, reading, before)
    parts.push(yield* asked.length === 1 ? part : withTodo(part, titles, at))
  }
  return parts.join('\n\n')
}

/** Runs a part, with the todo list brought up to it by the first of its actions. */
function* withTodo(part: Part<string>, titles: readonly string[], at: number): Part<string> {
  const status = (index: number) => (index < at ? 'completed' : index === at ? 'in_progress' : 'pending')
  const todos = titles.map((content, index) => ({ content, status: status(index) }))
  const first = part.next()
  if (first.done) return first.value
  const [, ...results] = yield {
    ...first.value,
    calls: [{ tool: 'todo_write', args: { todos } }, ...first.value.calls],
  }
  let step = part.next(results)
  while (!step.done) step = part.next(yield step.value)
  if (at === titles.length - 1) {
    const done = titles.map(content => ({ content, status: 'completed' }))
    yield { say: 'That was all.', calls: [{ tool: 'todo_write', args: { todos: done } }] }
  }
  return step.value
}

// biome-ignore lint/correctness/useYield: a task like the others, only that it needs no tool
function* recap({ earlier, summaries }: Reading): Part<string> {
  const lines = [...summaries.flatMap(exchangesIn), ...earlier.map(describeExchange)]
  return lines.length === 0 ? 'Nothing so far.' : ['So far:', ...lines].join('\n')
}
