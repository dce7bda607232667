import { declarationsOf, type Node } from '../../source.ts'
import { type GeneratedPage, table } from '../page.ts'
import type { SourceFile, Workspace } from '../workspace.ts'

interface Rule {
  readonly name: string
  readonly code: string
  readonly description: string
  readonly file: SourceFile
}

/** Every constant of the type `InvariantRule`: what must hold between the events of a log. */
export const page: GeneratedPage = {
  path: 'docs/invariants.md',
  render(workspace) {
    const rules = readRules(workspace)
    if (rules.length === 0) return undefined
    const rows = rules.map(({ name, code, description, file }) => [
      `[${name}](../${file.path})`,
      `\`${code}\``,
      description,
      `\`${file.owner}\``,
    ])
    return [
      '# Invariants',
      'The relations between events that the invariant plugin enforces. An append that breaks one fails as `INVARIANT` and leaves the log as it was; in report mode it passes and is told. Rules of a plugin package come with its `./invariant` entry.',
      table(['Rule', 'Code', 'What must hold', 'Package'], rows),
    ].join('\n\n')
  },
}

function readRules(workspace: Workspace): Rule[] {
  return workspace.files.flatMap(file =>
    declarationsOf(file)
      .flatMap(({ node }) => (node.type === 'VariableDeclaration' ? (node.declarations as Node[]) : []))
      .filter(isRule)
      .map(({ init }) => {
        const [name, code, description] = ['name', 'code', 'description'].map(key => readText(init as Node, key, file))
        return { name: name!, code: code!, description: description!, file }
      }),
  )
}

function isRule({ id, init }: Node): boolean {
  const annotation = ((id as Node).typeAnnotation as Node | null)?.typeAnnotation as Node | undefined
  const isTyped = ((annotation?.typeName as Node | undefined)?.name as string) === 'InvariantRule'
  return isTyped && (init as Node | null)?.type === 'ObjectExpression'
}

function readText(object: Node, key: string, file: SourceFile): string {
  const property = (object.properties as Node[]).find(member => (member.key as Node | undefined)?.name === key)
  const value = property?.value as Node | undefined
  if (value?.type !== 'Literal') throw new Error(`${file.path}: expected a rule whose ${key} is a literal, found none`)
  return String(value.value)
}
