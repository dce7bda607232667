import type { ReadAnswer, ReadCall, ReadItem, ReadMessage, ReadResult, ReadSection } from '../reading/items.js'
import {
  clock,
  duration,
  factCounts,
  plural,
  readableArguments,
  sourceName,
  triggerWords,
  usageWords,
} from '../reading/words.js'
import { contentMarkup, contextMarkup, outputMarkup, preformatted } from './content.js'
import { html, type Markup } from './escape.js'

/** One section of the page. @param index tells sections apart */
export function sectionMarkup(section: ReadSection, index: number): Markup {
  const { turn, trigger, ending, usage, startTime, endTime, items } = section
  const about = [clock(startTime), duration(startTime, endTime), triggerWords(trigger), usage && usageWords(usage)]
  const others = factCounts(items.filter(item => item.type === 'fact'))
  return html`
<section id="section-${index}">
<h2>${turn === undefined ? 'Between turns' : `Turn ${turn}`}</h2>
<p class="about">${about.filter(fact => fact).join(' · ')}</p>
${items.map(itemMarkup)}
${others !== '' && html`<p class="facts">Also in the log: ${others}</p>`}
${ending !== undefined && html`<p class="ended">Ended: ${ending}</p>`}
</section>`
}

function itemMarkup(item: ReadItem): Markup | undefined {
  switch (item.type) {
    case 'message':
      return messageMarkup(item)
    case 'answer':
      return answerMarkup(item)
    case 'result':
      return html`<article ${attributes(item, 'context')}><h3>Result of ${item.callId}</h3>${marks(item)}${outputMarkup(item.content)}</article>`
    case 'fact':
      return item.text === undefined ? undefined : html`<p class="facts">${item.eventType}: ${item.text}</p>`
  }
}

function messageMarkup(item: ReadMessage): Markup {
  const { source, label, isSteering, content, time } = item
  const kind = item.replaces.length > 0 ? 'summary' : source.kind === 'user' ? 'user' : 'context'
  const name = `${label ?? sourceName(source)}${isSteering ? ' (steering)' : ''}`
  return html`<article ${attributes(item, kind)}><h3>${name} ${clock(time)}</h3>${marks(item)}${kind === 'user' ? contentMarkup(content) : contextMarkup(content)}</article>`
}

function answerMarkup(item: ReadAnswer): Markup {
  const { model, usage, content, calls, time } = item
  const about = [model, clock(time), usage && usageWords(usage)].filter(fact => fact).join(' · ')
  return html`<article ${attributes(item, 'answer')}><h3>Assistant ${about}</h3>${marks(item)}${contentMarkup(content)}${calls.map(call => callMarkup(call, item.hiddenBy))}</article>`
}

/** @param hiddenBy what took the place of the answer, which says it for results that went with it */
function callMarkup({ name, arguments: args, result }: ReadCall, hiddenBy: number | undefined): Markup {
  const isFailed = result?.isError === true
  return html`<div class="call${isFailed && ' failed'}"${result !== undefined && html` id="e${result.seq}"`}><b>${name}</b>${preformatted(readableArguments(args), 'arguments')}${outcome(result, hiddenBy)}</div>`
}

function outcome(result: ReadResult | undefined, hiddenBy: number | undefined): Markup {
  if (result === undefined) return html`<span class="outcome">No result</span>`
  return html`<span class="outcome">${result.isError ? 'Error' : 'Result'}</span>${result.hiddenBy !== hiddenBy && marks(result)}${outputMarkup(result.content)}`
}

function attributes({ seq, hiddenBy }: { seq: number; hiddenBy: number | undefined }, kind: string): Markup {
  return html`id="e${seq}" class="item ${kind}${hiddenBy !== undefined && ' hidden'}"`
}

/** What a compaction did to the message. */
function marks({ hiddenBy, replaces }: Pick<ReadMessage, 'hiddenBy' | 'replaces'>): Markup[] {
  const [first, last] = [replaces[0], replaces.at(-1)]
  return [
    html`${
      first !== undefined &&
      html`<p class="mark">Takes the place of ${plural(replaces.length, 'message')}, from <a href="#e${first}">event ${first}</a> to <a href="#e${last}">event ${last}</a>.</p>`
    }`,
    html`${
      hiddenBy !== undefined &&
      html`<p class="mark">The model no longer sees this: <a href="#e${hiddenBy}">event ${hiddenBy}</a> took its place.</p>`
    }`,
  ]
}
