import { existsSync, mkdirSync, mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Session } from '@dsh/session'
import { onTestFinished } from 'vitest'
import type { ToolContext } from '../../src/tools/tool.ts'
import { Workspace } from '../../src/tools/workspace.ts'

/** A directory of the test, removed at its end. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'dsh-harness-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A directory with files. */
export function directoryWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const directory = temporaryDirectory()
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  return directory
}

/** What a tool is run with. */
export function contextOf(directory: string, signal: AbortSignal = new AbortController().signal): ToolContext {
  return { session: new Session('s'), workspace: new Workspace(directory), signal }
}

/** Resolves when a file of this name appears. */
export function created(directory: string, name: string): Promise<void> {
  return new Promise(resolve => {
    const watcher = watch(directory, () => {
      if (!existsSync(join(directory, name))) return
      watcher.close()
      resolve()
    })
    if (existsSync(join(directory, name))) {
      watcher.close()
      resolve()
    }
  })
}
