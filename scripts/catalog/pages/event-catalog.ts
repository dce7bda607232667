import { declarationsOf, docBefore, type Node } from '../../source.ts'
import { type GeneratedPage, table } from '../page.ts'
import { type Found, findDeclaration, findWithExtensions, type Workspace } from '../workspace.ts'

interface CatalogEntry {
  readonly type: string
  readonly payload: string
  readonly doc: string
  readonly found: Found
}

/** Every event type of the packages: `SessionEventMap` and its extensions. */
export const page: GeneratedPage = {
  path: 'docs/event-catalog.md',
  render(workspace) {
    const entries = findWithExtensions(workspace, '@dsh/session', 'SessionEventMap').flatMap(readEntries)
    const surface = readSurfaceTypes(workspace)
    const types = findTypes(workspace)
    const badge = ({ type }: CatalogEntry) => (surface.has(type) ? '**surface**' : 'log only')
    const overview = entries.map(entry => [
      `[\`${entry.type}\`](#${anchor(entry.type)})`,
      badge(entry),
      `\`${entry.found.file.owner}\``,
      entry.doc.split(/(?<=\.)\s/)[0] ?? '',
    ])
    const sections = entries.map(entry => {
      const { path, owner } = entry.found.file
      return [
        `## ${entry.type}`,
        `${badge(entry)} · \`${owner}\` · [${path.split('/').at(-1)}](../${path})`,
        entry.doc,
        `\`\`\`text\n${entry.payload}\n\`\`\``,
        ...describeTypes(entry.payload, types),
      ].join('\n\n')
    })
    return [
      '# Events',
      'Every event type of the packages in this repository, with the type of its `data`. An event with the badge **surface** produces a message that the model sees; the others are facts that only folds read.',
      table(['Event', 'Kind', 'Package', 'What it says'], overview),
      ...sections,
    ].join('\n\n')
  },
}

function readEntries(found: Found): CatalogEntry[] {
  const { file, declaration } = found
  const members = (declaration.node.body as Node).body as Node[]
  return members.map(member => {
    const key = member.key as Node
    const type = String(key.value ?? key.name)
    const doc = docBefore(file, member.start)
    if (doc === '') throw new Error(`${file.path}: expected a docstring on the event ${type}, found none`)
    const annotation = (member.typeAnnotation as Node).typeAnnotation as Node
    return { type, payload: dedent(file.text, annotation), doc, found }
  })
}

function readSurfaceTypes(workspace: Workspace): Set<unknown> {
  const { declaration } = findDeclaration(workspace, '@dsh/session', 'SurfaceEventType')
  const union = declaration.node.typeAnnotation as Node
  const members = union.type === 'TSUnionType' ? (union.types as Node[]) : [union]
  return new Set(members.map(({ literal }) => (literal as Node).value))
}

/** Where each exported type of the packages is declared. */
function findTypes(workspace: Workspace): Map<string, string> {
  const types = new Map<string, string>()
  for (const file of workspace.files) {
    for (const { name, isExported, node } of declarationsOf(file)) {
      if (isExported && node.type.startsWith('TS')) types.set(name, file.path)
    }
  }
  return types
}

function describeTypes(payload: string, types: ReadonlyMap<string, string>): string[] {
  const names = new Set(payload.match(/\b[A-Z]\w+/g) ?? [])
  const links = [...names].filter(name => types.has(name)).map(name => `[\`${name}\`](../${types.get(name)})`)
  return links.length === 0 ? [] : [`With ${links.join(', ')}.`]
}

/** The text of a node without the indentation of the line that it begins on. */
function dedent(text: string, { start, end }: Node): string {
  const [indent = ''] = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', start) + 1)) ?? []
  return text.slice(start, end).replaceAll(`\n${indent}`, '\n')
}

function anchor(type: string): string {
  return type.toLowerCase().replace(/[^\p{L}\p{N}_-]/gu, '')
}
