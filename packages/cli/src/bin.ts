#!/usr/bin/env node
import { isSupportedNode, OLDEST_NODE } from './node-version.js'

/** Milliseconds that a command has to end by itself. */
const GRACE_MS = 2_000

// Nothing that an older Node lacks may be taken, or even imported, before this.
if (isSupportedNode(process.versions.node)) await start()
else {
  process.stderr.write(`dsh-session: needs Node ${OLDEST_NODE} or newer, and this is Node ${process.versions.node}\n`)
  process.exitCode = 1
}

async function start(): Promise<void> {
  const { enableCompileCache } = process.getBuiltinModule('node:module')
  const { homedir } = process.getBuiltinModule('node:os')

  // Saves compiling what did not change since the last call.
  enableCompileCache()

  // That a part of Node is experimental, as SQLite is in some, is no news to whoever looks at sessions. Threads ask the
  // environment when they start.
  process.env.NODE_NO_WARNINGS = '1'
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => {
    if (name !== 'ExperimentalWarning') process.stderr.write(`dsh-session: ${message}\n`)
  })

  const interrupt = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    // The second time, the signal does what it does without us. What is stored is stored whole or not at all, so that work
    // that takes no notice can be broken off.
    process.once(name, () => {
      interrupt.abort()
      setTimeout(() => process.exit(130), GRACE_MS).unref()
    })
  }

  const { main } = await import('./main.js')

  process.exitCode = await main(process.argv.slice(2), {
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    platform: process.platform,
    now: Date.now,
    signal: interrupt.signal,
  })
}
