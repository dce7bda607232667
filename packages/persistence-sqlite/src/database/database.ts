import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { FileIdentity } from './file-identity.js'
import type { DatabaseTask } from './sqlite-error.js'
import { databaseError, isDiskFailure } from './sqlite-error.js'

/** An open database: its statements, each prepared once, and its transactions. */
export class Database {
  readonly file: string
  readonly identity: FileIdentity
  private readonly connection: DatabaseSync
  private readonly statements = new Map<string, StatementSync>()

  constructor(connection: DatabaseSync, file: string, identity: FileIdentity) {
    this.connection = connection
    this.file = file
    this.identity = identity
  }

  /** The first row of a query. */
  get<Row>(sql: string, ...parameters: SQLInputValue[]): Row | undefined {
    return this.prepare(sql).get(...parameters) as Row | undefined
  }

  all<Row>(sql: string, ...parameters: SQLInputValue[]): Row[] {
    return this.prepare(sql).all(...parameters) as Row[]
  }

  /** The rows of a query that nothing else asks, each as the array of its columns and read when it is its turn. */
  values<Row extends readonly unknown[]>(sql: string, ...parameters: SQLInputValue[]): Iterable<Row> {
    const statement = this.prepare(sql)
    statement.setReturnArrays(true)
    return statement.iterate(...parameters) as unknown as Iterable<Row>
  }

  /** @returns the id of the row that was inserted last, and how many rows changed */
  run(sql: string, ...parameters: SQLInputValue[]): { readonly id: number; readonly changes: number } {
    const { lastInsertRowid, changes } = this.prepare(sql).run(...parameters)
    return { id: Number(lastInsertRowid), changes: Number(changes) }
  }

  exec(sql: string): void {
    this.connection.exec(sql)
  }

  /** Runs `work` on one state of the database. @throws what `work` throws, and the failures of SQLite with a code */
  read<T>(task: DatabaseTask, work: () => T): T {
    return this.transaction('BEGIN', 'ROLLBACK', task, work)
  }

  /**
   * Makes what `work` does durable, all of it or nothing. Nobody else writes meanwhile.
   * @throws as {@link read}, and OWNERSHIP_LOST when the file is no longer in its place
   */
  write<T>(task: DatabaseTask, work: () => T): T {
    this.identity.requireInPlace(task.session)
    return this.transaction('BEGIN IMMEDIATE', 'COMMIT', task, work)
  }

  close(): void {
    this.statements.clear()
    this.connection.close()
  }

  private transaction<T>(begin: string, end: string, task: DatabaseTask, work: () => T): T {
    let isEnding = false
    try {
      this.connection.exec(begin)
      const result = work()
      isEnding = true
      this.connection.exec(end)
      return result
    } catch (error) {
      this.rollBack()
      throw databaseError(error, this.file, task, isEnding && isDiskFailure(error))
    }
  }

  private rollBack(): void {
    try {
      // Some failures have ended the transaction already.
      if (this.connection.isTransaction) this.connection.exec('ROLLBACK')
    } catch {
      // The next BEGIN says so if the connection is of no use any more.
    }
  }

  private prepare(sql: string): StatementSync {
    let statement = this.statements.get(sql)
    if (statement === undefined) {
      statement = this.connection.prepare(sql)
      this.statements.set(sql, statement)
    }
    return statement
  }
}
