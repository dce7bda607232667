/** The style of a page. Colours follow the reader's preference, light or dark. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #16181d);
  --ink: light-dark(#1f2328, #e2e5ea);
  --faint: light-dark(#596168, #9aa3ad);
  --line: light-dark(#d5dae0, #343a43);
  --card: light-dark(#f6f8fa, #1d2027);
  --user: light-dark(#e7f0fd, #1b2a41);
  --accent: light-dark(#0a5bd3, #79b0ff);
  --error: light-dark(#b3261e, #ff8f87);
  --error-card: light-dark(#fdecea, #3a1f1f);
  --summary: light-dark(#fff6dd, #37301a);
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.55 system-ui, sans-serif }
a { color: var(--accent) }
header, main, nav { max-width: 60rem; margin: 0 auto; padding: 0 1.25rem }
header { padding-top: 2rem }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.3; overflow-wrap: anywhere }
h2 { margin: 2.5rem 0 .5rem; padding-top: .75rem; border-top: 1px solid var(--line); font-size: 1.15rem }
h3 { margin: 0 0 .25rem; font-size: .85rem; font-weight: 600; color: var(--faint) }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 0 }
dt { color: var(--faint) }
dd { margin: 0; overflow-wrap: anywhere }
nav details { margin-top: 1rem }
nav ol { margin: .5rem 0 0; padding-left: 2.5rem }
nav li { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.about { color: var(--faint); font-size: .85rem; margin: 0 0 .75rem }
.item { margin: .6rem 0; padding: .6rem .9rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--paper) }
.item:target { outline: 2px solid var(--accent) }
.user { background: var(--user) }
.context { background: var(--card) }
.summary { background: var(--summary) }
.hidden { border-style: dashed; opacity: .72 }
.mark { color: var(--faint); font-size: .85rem; font-style: italic; margin: 0 0 .35rem }
.text { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 .5rem }
.text:last-child { margin-bottom: 0 }
.reasoning { color: var(--faint) }
pre { margin: .35rem 0 0; padding: .6rem .75rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere;
  background: var(--card); border-radius: .35rem; font: 13px/1.5 ui-monospace, monospace; tab-size: 4 }
.call { margin: .6rem 0 0; padding: .5rem .75rem; border-left: 3px solid var(--line) }
.call > b { font: 600 13px ui-monospace, monospace }
.failed { border-left-color: var(--error) }
.failed .outcome { color: var(--error) }
.failed .output { background: var(--error-card) }
.outcome { display: block; margin-top: .4rem; color: var(--faint); font-size: .85rem }
summary { cursor: pointer; color: var(--faint); font-size: .85rem; overflow-wrap: anywhere }
img { max-width: 100%; border: 1px solid var(--line); border-radius: .35rem }
.facts { color: var(--faint); font-size: .85rem; margin: .6rem 0 }
.ended { font-weight: 600; color: var(--error) }
.switch { display: block; margin: 1rem 0 0; font-size: .9rem }
body:has(#only-seen:checked) .hidden { display: none }
@media print { nav, .switch { display: none } }
`
