import { SessionError } from '@dsh/session'
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml'

/** A plugin as a file names it: what Cordis' loader takes. */
export interface StackEntry {
  /** Tells entries apart; the name where the file gives none. */
  readonly id: string
  /** What is imported: a package, or a path that begins with a dot and counts from the file. */
  readonly name: string
  readonly config?: unknown
  readonly disabled?: boolean
  readonly inject?: unknown
  readonly isolate?: Readonly<Record<string, true | string>>
  readonly intercept?: Readonly<Record<string, unknown>>
}

/** Where something stands in a file. */
export interface FilePlace {
  readonly file: string
  readonly line: number
}

/** An entry, and where it and the options of its plugin stand. */
export interface PlacedEntry {
  readonly options: StackEntry
  readonly place: FilePlace
  /** Where an option stands; the entry itself for one that is missing. */
  placeOf(option: string | undefined): FilePlace
}

const kinds: Readonly<Record<keyof StackEntry, readonly [expected: string, accepts: (value: unknown) => boolean]>> = {
  id: ['a text', isText],
  name: ['the name of a package, or a path that begins with a dot', isText],
  config: ['a mapping of options', isMapping],
  disabled: ['true or false', value => typeof value === 'boolean'],
  inject: ['a list or mapping of services', value => Array.isArray(value) || isMapping(value)],
  isolate: ['a mapping of services', isMapping],
  intercept: ['a mapping of services', isMapping],
}

/** `!!js`: an expression that the loader evaluates, as in `root: !!js process.cwd() + '/sessions'`. */
const expression = {
  tag: 'tag:yaml.org,2002:js',
  resolve: (text: string) => ({ __jsExpr: text }),
}

/** The entries of a file. @throws INVALID_CONFIG with the line */
export function readEntries(text: string, file: string): PlacedEntry[] {
  const lines = new LineCounter()
  // Some editors begin a file with a mark of its encoding, which is no content.
  const content = text.replace(/^\uFEFF/, '')
  const document = parseDocument(content, { customTags: [expression], lineCounter: lines, prettyErrors: false })
  // A mistake can lie behind the last line that has anything in it.
  const last = Math.max(content.trimEnd().length - 1, 0)
  const place = (offset: number): FilePlace => ({ file, line: lines.linePos(Math.min(offset, last)).line })
  const startOf = (node: unknown) => place((node as Node | null)?.range?.[0] ?? 0)
  const [mistake] = [...document.errors, ...document.warnings]
  if (mistake !== undefined) throw invalid('YAML', mistake.message, place(mistake.pos[0]))
  checkAliases(document, startOf)
  const list = document.contents
  if (!isSeq(list)) throw invalid('a list of plugins', list === null ? 'nothing' : 'something else', startOf(list))
  const known = new Set<string>()
  return list.items.map(item => {
    if (!isMap(item)) throw invalid('an entry with the name of a plugin', 'something else', startOf(item))
    const lineOf = (key: string) => startOf(keyOf(item, key) ?? item)
    const options = checkEntry(plainOf(item, document, startOf(item)), lineOf)
    if (known.has(options.id)) {
      throw invalid('an id that no other entry has', quoted(options.id), { ...lineOf('id'), path: 'id' })
    }
    known.add(options.id)
    const config = item.get('config')
    const placeOf = (option: string | undefined) => {
      const key = option !== undefined && isMap(config) ? keyOf(config, option) : undefined
      return key === undefined ? lineOf('config') : startOf(key)
    }
    return { options, place: startOf(item), placeOf }
  })
}

/** An alias stands for something that has ended before it. */
function checkAliases(document: Document, startOf: (node: unknown) => FilePlace): void {
  const anchored = new Map<string, Node>()
  visit(document, {
    Node(_, node, path) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchored.set(node.anchor, node)
        return
      }
      const target = anchored.get(node.source)
      const expected = `an anchor &${node.source} before its alias`
      if (target === undefined) throw invalid(expected, 'none', startOf(node))
      if (path.includes(target)) throw invalid(expected, 'one around it', startOf(node))
    },
  })
}

function plainOf(item: YAMLMap, document: Document, place: FilePlace): Readonly<Record<string, unknown>> {
  try {
    return item.toJS(document)
  } catch (error) {
    // Aliases of aliases can stand for more than fits in memory.
    throw invalid('an entry of moderate size', (error as Error).message, place)
  }
}

function checkEntry(given: Readonly<Record<string, unknown>>, lineOf: (key: string) => FilePlace): StackEntry {
  for (const [key, value] of Object.entries(given)) {
    const kind = Object.hasOwn(kinds, key) ? kinds[key as keyof StackEntry] : undefined
    if (kind === undefined) throw invalid(`one of ${Object.keys(kinds).join(', ')}`, quoted(key), lineOf(key))
    const [expected, accepts] = kind
    // An empty value is none.
    if (value !== null && !accepts(value)) throw invalid(expected, quoted(value), { ...lineOf(key), path: key })
  }
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
  const { name } = present
  if (typeof name !== 'string') throw invalid('the name of a plugin', 'none', { ...lineOf('name'), path: 'name' })
  return { id: name, name, ...present }
}

function keyOf(map: YAMLMap, name: string): unknown {
  return map.items.find(({ key }) => isScalar(key) && key.value === name)?.key
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isMapping(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function quoted(value: unknown): string {
  return JSON.stringify(value)
}

function invalid(expected: string, found: string, place: FilePlace & { readonly path?: string }): SessionError {
  return new SessionError('INVALID_CONFIG', { expected, found, ...place })
}
