import { type SessionView, sessionTokenTotals, title } from '@dsh/session'
import type { Redactor } from '../redact.js'
import { clock, plural, usageWords } from './words.js'

/** What stands above a session. */
export interface ReadSummary {
  readonly title: string
  /** Facts by name, in order. */
  readonly facts: readonly (readonly [name: string, value: string])[]
}

export function readSummary(view: SessionView, redactor: Redactor): ReadSummary {
  const { id, createdAt, cwd, parentSession, seedLength = 0, delegationDepth = 0 } = view.header
  const { calls, total } = sessionTokenTotals(view)
  const config = view.requestHeader()?.config
  const created = clock(createdAt)
  return {
    title: titleOf(view, redactor) ?? id,
    facts: [
      ['Session', id],
      ...(created === '' ? [] : [['Created', `${created} UTC`] as const]),
      ...(cwd === undefined ? [] : [['Directory', redactor.text(cwd, { kind: 'path' })] as const]),
      ...(parentSession === undefined ? [] : [['Parent', parentWords(parentSession, seedLength)] as const]),
      ...(delegationDepth === 0 ? [] : [['Delegation depth', String(delegationDepth)] as const]),
      ...(config === undefined ? [] : [['Model', `${config.provider} ${config.model}`] as const]),
      ['Log', plural(view.seq, 'event')],
      ...(calls === 0 ? [] : [['Tokens', `${usageWords(total)} in ${plural(calls, 'request')}`] as const]),
    ],
  }
}

/** The title of what may leave: text that is cut off could hide a secret from the hook. */
function titleOf(view: SessionView, redactor: Redactor): string | undefined {
  for (const event of view) {
    if (event.type !== 'user/message') continue
    const said = title.apply(undefined, { ...event, data: redactor.message(event.data, event.seq) })
    if (said !== undefined) return said
  }
  return undefined
}

function parentWords(parent: string, inherited: number): string {
  return inherited === 0 ? parent : `${parent} (${plural(inherited, 'inherited event')})`
}
