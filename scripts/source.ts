import { readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'

/** A node of the syntax tree; offsets are in UTF-16 units. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** A parsed TypeScript file. */
export interface Source {
  readonly text: string
  readonly body: readonly Node[]
  readonly comments: readonly { readonly type: string; readonly value: string; readonly start: number; end: number }[]
}

/** A named declaration at the top of a file, or of a `declare module` block. */
export interface Declaration {
  readonly name: string
  /** The module that the surrounding `declare module` block extends. */
  readonly augments?: string
  readonly isExported: boolean
  readonly node: Node
  readonly doc: string
  /** 1-based. */
  readonly line: number
}

/** Parses a file; throws with the place of the first syntax error. */
export function parseSource(file: string, text = readFileSync(file, 'utf8')): Source {
  const { program, comments, errors } = parseSync(file, text, { lang: 'ts' })
  const [error] = errors
  if (error !== undefined) {
    const line = lineAt(text, error.labels[0]?.start ?? 0)
    throw new Error(`${file}:${line}: expected TypeScript that parses, found: ${error.message}`)
  }
  return { text, body: program.body as unknown as Node[], comments }
}

/** The 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** The text of a JSDoc comment directly before `start`, without its stars and link tags; empty where there is none. */
export function docBefore(source: Source, start: number): string {
  const comment = source.comments.findLast(({ end }) => end <= start && source.text.slice(end, start).trim() === '')
  if (comment?.type !== 'Block' || !comment.value.startsWith('*')) return ''
  return comment.value
    .slice(1)
    .split('\n')
    .map(line => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .replace(/\{@link\s+([^}|\s]+)[^}]*\}/g, '`$1`')
    .trim()
}

export function declarationsOf(source: Source): Declaration[] {
  return declarationsIn(source, source.body)
}

function declarationsIn(source: Source, body: readonly Node[], augments?: string): Declaration[] {
  return body.flatMap(statement => {
    const isExported = statement.type.startsWith('Export')
    const node = (isExported ? statement.declaration : statement) as Node | null
    if (node === null || node === undefined) return []
    if (node.type === 'TSModuleDeclaration') {
      const [module, block] = [(node.id as Node).value, node.body as Node | undefined]
      return typeof module === 'string' && block ? declarationsIn(source, block.body as Node[], module) : []
    }
    const { start } = statement
    return namesOf(node).map(name => ({
      name,
      ...(augments === undefined ? {} : { augments }),
      isExported,
      node,
      doc: docBefore(source, start),
      line: lineAt(source.text, start),
    }))
  })
}

function namesOf(node: Node): string[] {
  const ids =
    node.type === 'VariableDeclaration' ? (node.declarations as Node[]).map(({ id }) => id as Node) : [node.id as Node]
  return ids.flatMap(id => (id?.type === 'Identifier' ? [id.name as string] : []))
}
