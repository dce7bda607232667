import { listFiles } from './list-files.ts'
import { readFile } from './read-file.ts'
import { runCommand } from './run-command.ts'
import { searchFiles } from './search-files.ts'
import { todoWrite } from './todo-write.ts'
import type { Tool } from './tool.ts'
import { writeFile } from './write-file.ts'

/** The tools of this harness, in the order in which a model sees them. */
export const tools: readonly Tool[] = [listFiles, readFile, searchFiles, writeFile, runCommand, todoWrite]
