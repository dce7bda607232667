import { messageText } from '@dsh/llm'
import type { SessionView } from '@dsh/session'
import type { ExportOptions } from '../options.js'
import type { ReadSection } from '../reading/items.js'
import { readSections } from '../reading/read-sections.js'
import { readSummary } from '../reading/summary.js'
import { beginning } from '../reading/words.js'
import { Redactor } from '../redact.js'
import { html, type Markup } from './escape.js'
import { sectionMarkup } from './section.js'
import { style } from './style.js'

// Nothing but the page's own style and inline images may load, whatever a message holds.
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

/** A session as one HTML page that needs nothing else: no scripts, no network. */
export function* htmlChunks(view: SessionView, { redact }: ExportOptions): Generator<string> {
  const redactor = new Redactor(redact)
  const { title, facts } = readSummary(view, redactor)
  yield `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n`
  yield html`<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
`.text
  yield `<style>${style}</style>\n</head>\n<body>\n`
  yield html`<header><h1 dir="auto">${title}</h1>
<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd dir="auto">${value}</dd>`)}</dl>
${hasHidden(view) && html`<label class="switch"><input type="checkbox" id="only-seen"> Show only what the model still sees</label>`}
</header>
`.text
  yield navigation(view, redactor).text
  yield '<main>'
  let index = 0
  for (const section of readSections(view, redactor)) yield sectionMarkup(section, index++).text
  yield '\n</main>\n</body>\n</html>\n'
}

function hasHidden(view: SessionView): boolean {
  return view.surface.replaceGeneration > 0
}

function navigation(view: SessionView, redactor: Redactor): Markup {
  const entries: Markup[] = []
  let index = 0
  for (const section of readSections(view, redactor)) {
    if (section.turn !== undefined)
      entries.push(html`<li value="${section.turn}"><a href="#section-${index}">${excerpt(section)}</a></li>`)
    index++
  }
  if (entries.length < 2) return html``
  return html`<nav><details><summary>${entries.length} turns</summary><ol>${entries}</ol></details></nav>
`
}

/** The beginning of what a person asked, else of what the model got or said. */
function excerpt({ items }: ReadSection): string {
  const messages = items.filter(item => item.type === 'message' || item.type === 'answer')
  const first = messages.find(item => item.type === 'message' && item.source.kind === 'user') ?? messages[0]
  const text = first === undefined ? '' : messageText(first).replace(/\s+/g, ' ').trim()
  return text === '' ? '…' : beginning(text, 120)
}
