import { totalTokens } from '@dsh/llm'
import { outline, sessionTokenTotals, title, todoList } from '@dsh/session'
import { amount, clip, count, describeHistory, describeReason } from '../terminal/describe.ts'
import type { Chat } from './chat.ts'

/** Something that a person can do beside talking. */
export interface Command {
  readonly usage: string
  readonly help: string
  /** Whether it has to wait until no turn runs. */
  readonly needsIdle?: boolean
  run(chat: Chat, argument: string): Promise<void> | void
}

/** The commands by name. */
export const commands: Readonly<Record<string, Command>> = {
  help: {
    usage: '/help',
    help: 'show this',
    run: ({ screen }) => {
      for (const { usage, help } of Object.values(commands)) screen.line(`  ${usage.padEnd(18)} ${help}`)
      screen.line('  Ctrl-C aborts the turn; twice, it quits. What you type while a turn runs steers it.')
    },
  },
  new: { usage: '/new', help: 'begin another session', needsIdle: true, run: chat => chat.begin() },
  list: {
    usage: '/list',
    help: 'list the stored sessions, the last one first',
    run: async ({ app, screen, session }) => {
      await app.sessions.flush(session)
      const { entries } = await app.sessionPersistence.list({ order: 'newest', limit: 20, details: true })
      for (const { id, turns, title: name = '', state, lastTime } of entries) {
        const mark = id === session.id ? '*' : ' '
        const facts = state === 'corrupt' ? 'damaged' : amount(turns ?? 0, 'turn')
        const time = lastTime === undefined ? '' : new Date(lastTime).toISOString().slice(0, 16).replace('T', ' ')
        const start = `${mark} ${id}  ${time}  ${facts.padEnd(8)}  `
        screen.line(start + clip(name, screen.width - 1 - start.length))
      }
      if (entries.length === 0) screen.line('Nothing is stored yet.')
    },
  },
  resume: {
    usage: '/resume <id>',
    help: 'go on with a stored session; the beginning of its id is enough',
    needsIdle: true,
    run: (chat, id) => (id === '' ? chat.screen.line('Which session? See /list.') : chat.resume(id)),
  },
  fork: {
    usage: '/fork [turn]',
    help: 'branch off behind a turn, by default the last one',
    needsIdle: true,
    run: (chat, argument) => {
      const last = chat.session.fold(outline).turns.findLast(turn => turn.endSeq !== undefined)?.turn
      const turn = argument === '' ? last : Number(argument)
      return turn === undefined ? chat.screen.line('No turn has ended yet.') : chat.fork(turn)
    },
  },
  turns: {
    usage: '/turns',
    help: 'list the turns of this session',
    run: ({ screen, session }) => {
      for (const { turn, steps, reason } of session.fold(outline).turns) {
        screen.line(`  turn ${turn}: ${reason ? describeReason(reason) : 'under way'}, ${amount(steps.length, 'step')}`)
      }
    },
  },
  history: {
    usage: '/history',
    help: 'show the messages as the model sees them',
    run: ({ screen, session }) => {
      for (const line of describeHistory(session.deriveMessages(), screen.width - 1)) screen.line(line)
    },
  },
  todo: {
    usage: '/todo',
    help: 'show the todo list',
    run: ({ screen, session }) => {
      const todos = session.fold(todoList)
      for (const { content, status } of todos) screen.line(`  ${status}: ${content}`)
      if (todos.length === 0) screen.line('There is no todo list.')
    },
  },
  note: {
    usage: '/note <text>',
    help: 'add context without running the model',
    run: ({ loop, screen }, text) => (text === '' ? screen.line('What shall I note?') : loop.inject('note', text)),
  },
  retry: {
    usage: '/retry',
    help: 'go on after an error, an abort or a crash',
    needsIdle: true,
    run: chat => chat.retry(),
  },
  compact: { usage: '/compact', help: 'summarise the history', needsIdle: true, run: chat => chat.compact() },
  info: {
    usage: '/info',
    help: 'say where the log is, and what the session has cost',
    run: ({ app, screen, session }) => {
      const { total, inherited } = sessionTokenTotals(session)
      screen.line(
        `  session  ${session.id}${session.header.parentSession ? `, a fork of ${session.header.parentSession}` : ''}`,
      )
      screen.line(`  title    ${session.fold(title) ?? '(none yet)'}`)
      screen.line(`  log      ${app.sessionPersistence.locate(session.header)}`)
      screen.line(
        `  events   ${count(session.seq)}, of which ${count(app.sessionPersistence.durableSeq(session))} are durable`,
      )
      screen.line(`  tokens   ${count(totalTokens(total))}, of which ${count(totalTokens(inherited))} are inherited`)
    },
  },
  quit: { usage: '/quit', help: 'leave', run: chat => chat.quit() },
}
