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
  const said = view.fold(title)
  const config = view.requestHeader()?.config
  const created = clock(createdAt)
  return {
    title: said === undefined ? id : redactor.text(said, { kind: 'prompt' }),
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

function parentWords(parent: string, inherited: number): string {
  return inherited === 0 ? parent : `${parent} (${plural(inherited, 'inherited event')})`
}
