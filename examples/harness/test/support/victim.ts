/** A harness that works until it is killed, and tells each event and what is durable: `victim.ts <options as JSON>`. */
import { startApp } from '../../src/app.ts'
import type { BackendName } from '../../src/backends.ts'
import { openConversation } from '../../src/conversation.ts'
import { OfflineProvider } from '../../src/model/offline/provider.ts'

/** What it is told. */
export interface VictimOptions {
  readonly directory: string
  readonly sessions: string
  readonly backend: BackendName
  readonly invariants: 'throw' | 'off'
  readonly isResumed: boolean
}

/** What it tells. */
export type VictimReport =
  | { readonly kind: 'event'; readonly event: string }
  | { readonly kind: 'durable'; readonly events: number }

const { isResumed, ...place } = JSON.parse(process.argv[2]!) as VictimOptions
const tell = (report: VictimReport) => process.send!(report)

// A context that small has to be summarised every few turns.
const app = await startApp({ ...place, provider: new OfflineProvider({ contextWindow: 5_000 }) })
app.on('session/event', (session, event) => {
  tell({ kind: 'event', event: JSON.stringify(event) })
  tell({ kind: 'durable', events: app.sessionPersistence.durableSeq(session) })
})
const beginning = isResumed
  ? ({ kind: 'resume', id: 's' } as const)
  : ({ kind: 'new', id: 's', cwd: place.directory } as const)
const { loop } = await openConversation(app, beginning)
await loop.retry()
for (let turn = 0; ; turn++) {
  await loop.prompt('Find the 2 longest source files, search for "a" and write it to out.md')
  loop.inject('clock', `turn ${turn} is over`)
  await loop.prompt('Run `echo begun; sleep 0.02; echo done > out.txt` and read out.md')
  await loop.prompt('What have we done so far?')
}
