import type { Node } from '../../source.ts'
import { type GeneratedPage, table } from '../page.ts'
import { findDeclaration, type Workspace } from '../workspace.ts'

/** Every error code, and the packages whose sources name it. */
export const page: GeneratedPage = {
  path: 'docs/errors.md',
  render(workspace) {
    const rows = readCodes(workspace).map(({ code, meaning }) => [
      `\`${code}\``,
      meaning,
      findUsers(workspace, code).join(', ') || '—',
    ])
    return [
      '# Errors',
      'Every refusal is a `SessionError` with one of these codes; `isSessionError(error, code)` recognises it. Its message says what was expected, what was found and where, and the same facts are fields of the error. Whatever was refused has changed nothing.',
      table(['Code', 'Meaning', 'Used by'], rows),
    ].join('\n\n')
  },
}

function readCodes(workspace: Workspace): { code: string; meaning: string }[] {
  const { declaration } = findDeclaration(workspace, '@dsh/session', 'sessionErrorCodes')
  const [declarator] = declaration.node.declarations as Node[]
  const init = declarator!.init as Node
  const object = init.type === 'ObjectExpression' ? init : (init.expression as Node)
  return (object.properties as Node[]).map(property => ({
    code: String((property.key as Node).name ?? (property.key as Node).value),
    meaning: String((property.value as Node).value),
  }))
}

function findUsers(workspace: Workspace, code: string): string[] {
  const { file: declaring } = findDeclaration(workspace, '@dsh/session', 'sessionErrorCodes')
  const users = workspace.files.filter(file => file.path !== declaring.path && file.text.includes(`'${code}'`))
  return [...new Set(users.map(({ owner }) => `\`${owner}\``))]
}
