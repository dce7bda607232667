import type { Damage } from './damage.js'
import { corruptError } from './damage.js'
import type { LogSnapshot, PartSnapshot } from './snapshot.js'
import { judgeRegion, verifyBatches } from './verify.js'

/**
 * The error for a part that did not read as it should, with what is lost. Unless the damage is known from reading in
 * order, the part is read from its start: a search that damaged lines led astray fails far from them.
 */
export async function damageError(log: LogSnapshot, part: PartSnapshot, known: Damage | undefined): Promise<Error> {
  const { source, seed, start, end } = part
  const damage = known ?? (await verifyBatches(source, seed, start, end.byte)).damage
  if (!damage) {
    const vanished = { byte: start.byte, seq: start.next, expected: 'the same bytes at each read', found: 'others' }
    return corruptError(vanished, source.file, log.session)
  }
  const verdict = await judgeRegion(source, seed, damage, end.byte)
  const whole = { fromSeq: damage.seq, fromByte: damage.byte, toByte: end.byte }
  return corruptError(damage, source.file, log.session, verdict.kind === 'damaged' ? verdict.lost : whole)
}
