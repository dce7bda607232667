import { join } from 'node:path'
import { type Declaration, declarationsOf, lineAt, type Node, parseSource } from '../source.ts'
import { listFiles, readPackages } from '../workspace.ts'
import type { Block } from './markdown.ts'
import { type Page, pathFrom } from './page.ts'
import type { Problem } from './problem.ts'
import { findDifference } from './syntax-difference.ts'

/** A declaration beside the text that it stands in. */
interface Quotable extends Declaration {
  readonly file: string
  readonly text: string
}

/**
 * Each declaration in a block marked `ts type-equiv` equals that of the same name in the packages. Syntax trees are
 * compared: white space, comments, quotes and separators do not count, everything else does, `export` and `readonly`
 * too. Interfaces and type aliases are looked up in `src`; classes, functions and variables in the built typings, where
 * they have no bodies and private members do not count.
 */
export function checkTypes(pages: readonly Page[], base: string): Problem[] {
  const quotes = pages.flatMap(page =>
    page.blocks.filter(isTypeBlock).flatMap(block => {
      const problem = (line: number, expected: string, found: string): Problem => ({
        file: page.file,
        line: block.line + line - 1,
        expected,
        found,
      })
      return readQuotes(page, block).map(quote => ({ quote, problem }))
    }),
  )
  if (quotes.length === 0) return []
  const declarations = readDeclarations(base)
  return quotes.flatMap(({ quote, problem }) => {
    if ('error' in quote) return [problem(1, 'declarations that parse', quote.error)]
    const candidates = declarations.filter(({ name, augments }) => name === quote.name && augments === quote.augments)
    if (candidates.length === 0) {
      return [problem(quote.line, 'the name of a declaration in the packages', `\`${quote.name}\``)]
    }
    const differences = candidates.map(source => compare(source, quote))
    const [difference] = differences
    if (difference === undefined || differences.includes(undefined)) return []
    return [problem(difference.line, difference.expected, difference.found)]
  })
}

export function isTypeBlock({ language, flags }: Block): boolean {
  return language === 'ts' && flags[0] === 'type-equiv'
}

function readQuotes(page: Page, block: Block): (Quotable | { readonly error: string })[] {
  try {
    const source = parseSource(page.file, block.code)
    const quotes = declarationsOf(source)
    if (quotes.length === 0) return [{ error: 'a block without declarations' }]
    return quotes.map(quote => ({ ...quote, file: page.file, text: source.text }))
  } catch (error) {
    return [{ error: (error as Error).message }]
  }
}

function readDeclarations(base: string): Quotable[] {
  return readPackages(base).flatMap(({ folder }) => [
    ...quotableIn(base, listFiles(join(folder, 'src'), '.ts')).filter(isPureType),
    ...quotableIn(base, listFiles(join(folder, 'dist'), '.d.ts')).filter(declaration => !isPureType(declaration)),
  ])
}

function quotableIn(base: string, files: readonly string[]): Quotable[] {
  return files.flatMap(file => {
    const source = parseSource(file)
    return declarationsOf(source).map(found => ({ ...found, file: pathFrom(base, file), text: source.text }))
  })
}

function isPureType({ node }: Declaration): boolean {
  return node.type === 'TSInterfaceDeclaration' || node.type === 'TSTypeAliasDeclaration'
}

function compare(source: Quotable, quote: Quotable) {
  const place = `(${source.file}:${source.line})`
  if (source.isExported !== quote.isExported) {
    const show = ({ isExported, name }: Quotable) => `\`${name}\` ${isExported ? 'with' : 'without'} \`export\``
    return { line: quote.line, expected: `${show(source)} ${place}`, found: show(quote) }
  }
  const difference = findDifference(source.node, quote.node)
  if (difference === undefined) return undefined
  const [expected, found] = difference
  return {
    line: lineAt(quote.text, (found ?? quote.node).start),
    expected: `${show(source.text, expected)} in \`${source.name}\` ${place}`,
    found: show(quote.text, found),
  }
}

function show(text: string, node: Node | undefined): string {
  if (node === undefined) return 'nothing more'
  const code = text.slice(node.start, node.end).replace(/\s+/g, ' ')
  return `\`${code.length > 120 ? `${code.slice(0, 119)}…` : code}\``
}
