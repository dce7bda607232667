import { join } from 'node:path'
import { OpenFile } from './open-file.js'
import type { Root } from './root.js'
import type { ByteSource } from './source.js'
import { crcOfRange } from './verify.js'

const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
const LINE_FEED = 0x0a
const RETURN = 0x0d
const STEP = 1024 * 1024

/** Whether a line between `start` and `end` looks like a whole JSON object. Of long ones only the ends are looked at. */
export async function holdsCompleteLine(source: ByteSource, start: number, end: number): Promise<boolean> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(STEP, end - start))
  let opened: boolean | undefined
  let last = 0
  for (let at = start; at < end; ) {
    const count = await source.read(buffer.subarray(0, Math.min(buffer.length, end - at)), at)
    if (count === 0) break
    for (let index = 0; index < count; index++) {
      const byte = buffer[index]!
      if (byte === LINE_FEED) {
        if (opened && last === CLOSING_BRACE) return true
        opened = undefined
        last = 0
      } else {
        opened ??= byte === OPENING_BRACE
        if (byte === 0) opened = false
        if (byte !== RETURN) last = byte
      }
    }
    at += count
  }
  return opened === true && last === CLOSING_BRACE
}

/**
 * Copies the bytes from `start` to `end` into a file of their own beside the log and makes that durable. The name tells
 * what it holds, so that doing it again after a power cut leaves one file.
 */
export async function saveBeside(
  root: Root,
  directory: string,
  source: ByteSource,
  start: number,
  end: number,
): Promise<string> {
  const crc = await crcOfRange(source, start, end, 0)
  const path = join(directory, `cut-${start}-${crc.toString(16).padStart(8, '0')}.bytes`)
  const copy = await OpenFile.open(root.fs, path, 'replace')
  try {
    const buffer = Buffer.allocUnsafeSlow(Math.min(STEP, end - start))
    for (let at = start; at < end; ) {
      const count = await source.read(buffer.subarray(0, Math.min(buffer.length, end - at)), at)
      if (count === 0) break
      await copy.write(buffer.subarray(0, count), at - start)
      at += count
    }
    if (root.durable) await copy.sync()
  } finally {
    await copy.close()
  }
  await root.syncDirectory(directory)
  return path
}
