import type { PruneReport } from '@dsh/persistence'
import { type CommandContext, defineCommand } from '../command.js'
import { amount } from '../format/number.js'
import { isoTime, localTime } from '../format/time.js'
import { flag, text } from '../option.js'
import { time, timeForms, usage } from '../parse-value.js'
import { dim, pad, red, yellow } from '../terminal/text.js'

export default defineCommand({
  about:
    'Removes for good what has had no event since some time; the times of files do not count. What is at work or damaged ' +
    'stays, and so does what a session that stays was forked from.',
  json: '{ dryRun, removed: [{ id, lastTime }], kept: [{ id, lastTime, reason }] }',
  options: {
    olderThan: text('time', `sessions whose last event is before that: ${timeForms}`),
    dryRun: flag('only tell what would be removed', { short: 'n' }),
    yes: flag('remove it', { short: 'y' }),
    parents: flag('also remove what others were forked from; those keep what they inherited'),
  },
  examples: [
    { command: 'dsh-session prune --older-than 90d --dry-run', about: 'What a spring cleaning would take away.' },
    { command: 'dsh-session prune --older-than 90d --yes', about: 'The spring cleaning.' },
  ],
  async run(context, _args, { olderThan, dryRun, yes, parents }) {
    if (olderThan === undefined) throw usage('prune needs to know what is old; give --older-than')
    if (dryRun === yes) throw usage('prune removes for good; give either --dry-run or --yes')
    const limit = time('--older-than', context.io.now)(olderThan)
    const { persistence } = await context.store()
    const report = await persistence.prune({ olderThan: limit, keepForks: !parents, dryRun })
    print(context, report, dryRun)
    return report.kept.some(({ reason }) => reason === 'failed') ? 6 : 0
  },
})

function print({ out, json, note }: CommandContext, { removed, kept }: PruneReport, dryRun: boolean): void {
  if (json) {
    const show = ({ id, lastTime }: PruneReport['removed'][number]) => ({ id, lastTime: isoTime(lastTime) })
    const stays = kept.map(({ entry, reason, error }) => ({ ...show(entry), reason, error: error?.message }))
    out.json({ dryRun, removed: removed.map(show), kept: stays })
    return
  }
  const verb = dryRun ? 'would go' : 'removed'
  for (const { id, lastTime } of removed) out.clipped([pad(red(verb), 8), '  ', id, dim(`  ${localTime(lastTime)}`)])
  for (const { entry, reason, error } of kept) {
    out.clipped([pad(yellow(reason), 8), '  ', entry.id, dim(`  ${error?.message ?? localTime(entry.lastTime)}`)])
  }
  note(`${amount(removed.length, 'session')} ${dryRun ? 'would be removed' : 'removed'}, ${kept.length} old ones kept`)
}
