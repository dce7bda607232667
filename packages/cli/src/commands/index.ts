import type { Command } from '../command.js'

/** A command by its name, loaded when it is asked for. */
export interface CommandEntry {
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  load(): Promise<Command>
}

function entry(name: string, summary: string, load: () => Promise<{ default: Command }>): CommandEntry {
  return { name, summary, load: async () => (await load()).default }
}

/** Every command, in the order of help. */
export const commands: readonly CommandEntry[] = [
  entry('ls', 'list the stored sessions', () => import('./ls.js')),
  entry('show', 'outline a session: turns, steps, tools, tokens, durations', () => import('./show.js')),
  entry('messages', 'print the messages that the model sees', () => import('./messages.js')),
  entry('events', 'print the events of a session', () => import('./events.js')),
  entry('tail', 'print the last events of a session, and follow it', () => import('./tail.js')),
  entry('diff', 'compare two sessions, or two points of one', () => import('./diff.js')),
  entry('search', 'search the texts of all sessions', () => import('./search.js')),
  entry('stats', 'count sessions, events, tokens and tool calls', () => import('./stats.js')),
  entry('fork', 'fork a session into a new one', () => import('./fork.js')),
  entry('import', 'store the transcripts of other tools', () => import('./import.js')),
  entry('export', 'write a session as a readable transcript', () => import('./export.js')),
  entry('migrate', 'copy sessions into another storage', () => import('./migrate.js')),
  entry('verify', 'check that stored sessions are intact', () => import('./verify.js')),
  entry('doctor', 'tell in words what is wrong, and repair into a copy', () => import('./doctor.js')),
  entry('trash', 'put sessions into the trash, or empty it', () => import('./trash.js')),
  entry('restore', 'take sessions out of the trash', () => import('./restore.js')),
  entry('rm', 'remove sessions for good', () => import('./rm.js')),
  entry('prune', 'remove sessions that have been quiet for long', () => import('./prune.js')),
  entry('path', 'print where a session is stored', () => import('./path.js')),
  entry('completion', 'print the completion script for a shell', () => import('./completion.js')),
]
