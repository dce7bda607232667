/** The oldest Node that the command runs under, as the manifest has it. */
export const OLDEST_NODE = '22.19'

/** Whether this version of Node is {@link OLDEST_NODE} or newer. */
export function isSupportedNode(version: string): boolean {
  const [[major, minor], [oldestMajor, oldestMinor]] = [numbersOf(version), numbersOf(OLDEST_NODE)]
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
}

function numbersOf(version: string): [number, number] {
  const [major, minor] = version.split('.')
  return [Number(major), Number(minor)]
}
