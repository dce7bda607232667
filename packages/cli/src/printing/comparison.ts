import type { SessionView } from '@dsh/session'
import { amount, number } from '../format/number.js'
import { localTime } from '../format/time.js'
import type { Comparison } from '../reading/compare-logs.js'
import type { SurfaceMessage } from '../reading/surface-messages.js'
import type { Output } from '../terminal/output.js'
import { bold, dim, green, red, type Span } from '../terminal/text.js'
import { eventLine } from './events.js'
import { summariseMessage } from './summary.js'

/** Two logs that were compared. */
export interface Compared {
  readonly a: SessionView
  readonly b: SessionView
  readonly comparison: Comparison
}

/** Prints how two logs differ. */
export async function printComparison(out: Output, compared: Compared, withEvents: boolean): Promise<void> {
  const { a, b, comparison } = compared
  const { commonEvents, onlyInA, onlyInB, header } = comparison
  out.clipped([red('--- '), bold(a.id), dim(`  ${describeView(a)}`)])
  out.clipped([green('+++ '), bold(b.id), dim(`  ${describeView(b)}`)])
  const only = `, ${number(onlyInA)} only in the first, ${number(onlyInB)} only in the second`
  out.clipped(`${amount(commonEvents, 'event')} the same${onlyInA + onlyInB === 0 ? '' : only}`)
  for (const [field, [before, after]] of Object.entries(header)) {
    out.clipped(`${field}: ${describeField(field, before)} → ${describeField(field, after)}`)
  }
  if (withEvents) {
    await printEvents(out, red('- '), a, commonEvents)
    await printEvents(out, green('+ '), b, commonEvents)
  }
  await printMessages(out, comparison)
}

async function printEvents(out: Output, sign: Span, view: SessionView, from: number): Promise<void> {
  for (const event of view.iterate(from)) {
    out.clipped([sign, eventLine(event, out)])
    await out.relieve()
  }
}

async function printMessages(out: Output, { a, b, messages }: Comparison): Promise<void> {
  let same = 0
  const tellSame = () => {
    if (same > 0) out.clipped(dim(`  ${amount(same, 'message')} the same`))
    same = 0
  }
  for (const edit of messages) {
    if (edit.kind === 'same') {
      same++
      continue
    }
    tellSame()
    if (edit.kind === 'removed') printMessage(out, red('- '), a[edit.a]!)
    else printMessage(out, green('+ '), b[edit.b]!)
    await out.relieve()
  }
  tellSame()
}

function printMessage(out: Output, sign: Span, { seq, message }: SurfaceMessage): void {
  out.clipped([sign, { ...sign, text: message.role }, dim(`  #${seq}  `), summariseMessage(message)])
}

function describeView(view: SessionView): string {
  return `${amount(view.seq, 'event')}, ${amount(view.surface.nodes.length, 'message')}`
}

function describeField(field: string, value: unknown): string {
  if (value === undefined) return 'none'
  if (field === 'createdAt') return localTime(value as number)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
