// A harness of another process: it creates or resumes a session, says so, and appends to it as it is told on standard input.
import { createInterface } from 'node:readline'
import JsonlPersistence from '@dsh/persistence-jsonl'
import SessionStore from '@dsh/session-store'
import { Context } from 'cordis'

const [root, id] = process.argv.slice(2) as [string, string]
const ctx = new Context()
await ctx.plugin(SessionStore)
await ctx.plugin(JsonlPersistence, { root, writeDelayMs: 5 })
const session = ctx.sessions.create(id)
session.append('todo/write', { todos: [{ content: 'begin', status: 'pending' }] })
await ctx.sessions.flush(session)
process.stdout.write('ready\n')

for await (const line of createInterface({ input: process.stdin })) {
  const count = Number(line)
  for (let index = 0; index < count; index++) {
    session.append('todo/write', { todos: [{ content: `item ${session.seq}`, status: 'pending' }] })
    // Batches of many sizes, some of which wait for the disk.
    if (index % 13 === 0) await ctx.sessions.flush(session)
    else if (index % 5 === 0) await new Promise(resolve => setImmediate(resolve))
  }
  await ctx.sessions.flush(session)
  process.stdout.write(`${session.seq}\n`)
}
await ctx.fiber.dispose()
