import type { ContentBlock } from '@dsh/llm'
import type { SessionView } from '@dsh/session'
import type { ExportOptions } from './options.js'
import type { ReadAnswer, ReadCall, ReadItem, ReadMessage, ReadResult, ReadSection } from './reading/items.js'
import { readSections } from './reading/read-sections.js'
import { readSummary } from './reading/summary.js'
import {
  clock,
  duration,
  factCounts,
  plural,
  readableArguments,
  sourceName,
  triggerWords,
  usageWords,
} from './reading/words.js'
import { Redactor } from './redact.js'

/** A session as Markdown, for reading: everything that happened, with what the model no longer sees marked as such. */
export function* markdownChunks(view: SessionView, { redact }: ExportOptions): Generator<string> {
  const redactor = new Redactor(redact)
  const { title, facts } = readSummary(view, redactor)
  yield `# ${heading(title)}\n\n${facts.map(([name, value]) => `- ${name}: ${inline(value)}`).join('\n')}\n`
  for (const section of readSections(view, redactor)) yield sectionText(section)
}

function sectionText(section: ReadSection): string {
  const { turn, trigger, ending, usage, startTime, endTime, items } = section
  const facts = [clock(startTime), duration(startTime, endTime), triggerWords(trigger), usage && usageWords(usage)]
  const about = facts.filter(fact => fact).join(' · ')
  const name = turn === undefined ? 'Between turns' : `Turn ${turn}`
  const others = factCounts(items.filter(item => item.type === 'fact'))
  return [
    `\n## ${name}\n`,
    ...(about === '' ? [] : [`${about}\n`]),
    ...items.flatMap(itemText),
    ...(others === '' ? [] : [`*Also in the log: ${inline(others)}*\n`]),
    ...(ending === undefined ? [] : [`**Ended: ${inline(ending)}**\n`]),
  ].join('\n')
}

function itemText(item: ReadItem): string[] {
  switch (item.type) {
    case 'message':
      return [`### ${messageName(item)}\n`, ...marks(item), quote(contentText(item.content)), '']
    case 'answer':
      return answerText(item)
    case 'result':
      return [`### Result of ${inline(item.callId)}\n`, ...marks(item), ...resultText(item)]
    case 'fact':
      return item.text === undefined ? [] : [`*${item.eventType}: ${inline(item.text)}*\n`]
  }
}

function messageName({ source, label, isSteering }: ReadMessage): string {
  const name = heading(label ?? sourceName(source))
  return isSteering ? `${name} (steering)` : name
}

function answerText(item: ReadAnswer): string[] {
  const about = [item.model, item.usage && usageWords(item.usage)].filter(fact => fact).join(' · ')
  return [
    '### Assistant\n',
    `${inline(about)}\n`,
    ...marks(item),
    ...item.content
      .map(block => (block.type === 'reasoning' ? quote(`*${block.text}*`) : closed(blockText(block))))
      .map(text => `${text}\n`),
    ...item.calls.flatMap(call => callText(call, item.hiddenBy)),
  ]
}

/** @param hiddenBy what took the place of the answer, which says it for results that went with it */
function callText({ name, arguments: args, result }: ReadCall, hiddenBy: number | undefined): string[] {
  return [
    `**${inline(name)}**\n`,
    fence(readableArguments(args), 'json'),
    ...(result === undefined
      ? ['*No result.*\n']
      : [...(result.hiddenBy === hiddenBy ? [] : marks(result)), ...resultText(result)]),
  ]
}

function resultText({ content, isError }: ReadResult): string[] {
  return [`${isError ? 'Error' : 'Result'}:\n`, fence(contentText(content), '')]
}

function marks({ hiddenBy, replaces }: Pick<ReadMessage, 'hiddenBy' | 'replaces'>): string[] {
  return [
    ...(replaces.length === 0 ? [] : [`*Takes the place of ${plural(replaces.length, 'message')} above.*\n`]),
    ...(hiddenBy === undefined ? [] : [`*The model no longer sees this: event ${hiddenBy} took its place.*\n`]),
  ]
}

function contentText(content: readonly ContentBlock[]): string {
  return content.map(blockText).join('\n\n')
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
    case 'reasoning':
      return block.text
    case 'image':
      return `[image ${block.mediaType}${'ref' in block ? ` ${block.ref}` : ''}]`
    default:
      return JSON.stringify(block)
  }
}

/** Text that a fence around it cannot end early. */
function fence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const marker = '`'.repeat(longest + 1)
  return `${marker}${language}\n${text}\n${marker}\n`
}

/** Text of which every code fence is closed, so that what follows is not swallowed. */
function closed(text: string): string {
  let open: string | undefined
  for (const [, marker = ''] of text.matchAll(/^ {0,3}(`{3,}|~{3,})/gm)) {
    if (open === undefined) open = marker
    else if (marker[0] === open[0] && marker.length >= open.length) open = undefined
  }
  return open === undefined ? text : `${text}\n${open}`
}

function quote(text: string): string {
  return text
    .split('\n')
    .map(line => (line === '' ? '>' : `> ${line}`))
    .join('\n')
}

/** Text in the run of a line: one line, without what would start something else. */
function inline(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/([\\`*_{}[\]<>#|])/g, '\\$1')
}

function heading(text: string): string {
  return inline(text).trim()
}
