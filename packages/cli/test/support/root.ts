import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { JsonlDriver } from '@dsh/persistence-jsonl'
import { encodeRows, type SessionEvent, type SessionHeader, type SessionId } from '@dsh/session'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { LogBuilder, START } from './log-builder.js'

/** A directory that is gone when the test is over. */
export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dsh-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The {@link exampleRoot}, made once for all tests of a file, which leave it as it is. */
export function sharedRoot(): { readonly path: string; readonly root: TestRoot } {
  const shared = { path: '', root: new TestRoot('/') }
  beforeAll(async () => {
    shared.path = mkdtempSync(join(tmpdir(), 'dsh-cli-'))
    shared.root = await exampleRoot(shared.path)
  })
  afterAll(() => rmSync(shared.path, { recursive: true, force: true }))
  return shared
}

/** A root that sessions can be put into. */
export class TestRoot {
  readonly path: string

  constructor(path = join(temporary(), 'sessions')) {
    this.path = path
  }

  /** Stores a session, in one batch or in several. */
  async store(
    id: string,
    events: readonly SessionEvent[],
    meta: Partial<SessionHeader> = {},
    batch = Number.POSITIVE_INFINITY,
  ) {
    const header: SessionHeader = { version: 1, id: id as SessionId, createdAt: START, ...meta }
    await this.use(async driver => {
      const records = (from: number) =>
        encodeRows(events.slice(from, from + batch), { pack: true }).map(row => ({ ...row, version: 1 }))
      const handle = await driver.create(header, records(0))
      for (let from = batch; from < events.length; from += batch) await handle.append(from, records(from))
      await handle.close()
    })
    return header
  }

  async use<T>(action: (driver: JsonlDriver) => Promise<T>): Promise<T> {
    const driver = new JsonlDriver({ root: this.path, durability: 'none' })
    try {
      return await action(driver)
    } finally {
      await driver.close()
    }
  }

  /** The log file of a session. */
  log(id: string): string {
    return new JsonlDriver({ root: this.path }).locate({ version: 1, id: id as SessionId, createdAt: 0 })
  }

  /** Changes the bytes of a log. */
  damage(id: string, change: (bytes: Buffer) => Uint8Array): void {
    const file = this.log(id)
    writeFileSync(file, change(readFileSync(file)))
  }
}

/** Every file below a directory with its bytes: to see that nothing has changed. */
export function contentsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    names.flatMap(name => {
      const file = join(folder, name)
      return statSync(file).isFile() ? [[name, readFileSync(file, 'base64')]] : []
    }),
  )
}

/** The sessions that the examples of the commands are about. */
export async function exampleRoot(path?: string): Promise<TestRoot> {
  const root = new TestRoot(path)
  examples ??= readExamples()
  for (const [name, bytes] of Object.entries(await examples)) {
    const file = join(root.path, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes, 'base64')
  }
  return root
}

let examples: Promise<Record<string, string>> | undefined

/** The files of the examples, stored once a process: writing them again takes a fifth of the time. */
async function readExamples(): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'dsh-cli-'))
  try {
    await storeExamples(new TestRoot(folder))
    return contentsOf(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function storeExamples(root: TestRoot): Promise<void> {
  const demo = new LogBuilder()
    .prompt('Find the longest file of this directory, and say in one sentence what it is for')
    .answer('Let me look.', {
      reasoning: 'A list of files comes first.',
      chunks: ['Let', ' me', ' look.'],
      usage: { inputTokens: 1_200, outputTokens: 35, cacheReadTokens: 800 },
      calls: [
        { name: 'list_files', args: { path: '.' }, result: 'src/parser.ts\nsrc/main.ts', took: 40 },
        { name: 'read_file', args: { path: 'src/parser.ts' }, result: 'export function parse() {}', took: 12 },
      ],
    })
    .answer('src/parser.ts is the longest: it parses the configuration.', {
      usage: { inputTokens: 1_500, outputTokens: 20, cacheReadTokens: 1_200 },
    })
    .end()
    .prompt('把它的测试也写出来 🙂')
    .answer('', {
      usage: { inputTokens: 1_600, outputTokens: 80 },
      calls: [
        {
          name: 'write_file',
          args: { path: 'test/parser.spec.ts' },
          result: 'permission denied',
          isError: true,
          took: 2_500,
        },
      ],
    })
    .answer('I may not write there.', { usage: { inputTokens: 1_700, outputTokens: 12 } })
    .end()
  await root.store('demo', demo.events, { cwd: '/home/sam/projects/configuration-parser' })
  const boundary = demo.events.findIndex(({ type }) => type === 'turn/end')
  const fork = new LogBuilder(demo.events.slice(0, boundary + 1), START + 3_600_000)
    .prompt('Now the shortest')
    .answer('src/main.ts is.', { usage: { inputTokens: 1_550, outputTokens: 9 } })
    .end()
  const lineage = { parentSession: 'demo' as SessionId, seedLength: boundary + 1 }
  await root.store('demo-fork', fork.events, { cwd: '/home/sam/projects/configuration-parser', ...lineage })
  await root.store('scratch', new LogBuilder().prompt('Hello').answer('Hello.').end().events, { cwd: '/tmp' })
  await root.store('discarded', new LogBuilder().prompt('Never mind').answer('All right.').end().events)
  await root.use(driver => driver.trash('discarded' as SessionId))
  const broken = new LogBuilder()
  for (let turn = 1; turn <= 4; turn++) broken.prompt(`Question ${turn}`).answer(`Answer ${turn}`).end()
  await root.store('broken', broken.events, { cwd: '/srv/app' }, 6)
  // Rot in the second batch of three and more.
  root.damage('broken', bytes => {
    const at = bytes.indexOf('Answer 2')
    bytes[at] = 0x21
    return bytes
  })
}
