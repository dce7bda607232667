import type { SearchOptions } from '@dsh/persistence/driver'
import type { SessionId } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { trashSession } from '../../src/database/remove.js'
import { searchRecords } from '../../src/database/search-records.js'
import { answer, event, header, prompt, T0, toolResult, toRecords } from '../support/records.js'
import { openStore, store } from '../support/store.js'

function stored() {
  const at = openStore()
  const events = [
    event(0),
    prompt(1, 'Where is the login form validated?'),
    answer(2, 'The form is validated in src/login.ts. 登录表单在那里验证。'),
    toolResult(3, 'src/login.ts: validate(form)'),
  ]
  store(at, header('code', { cwd: '/work' }), toRecords(events))
  store(at, header('日本', { cwd: '/else' }), toRecords([prompt(0, '全文検索のフォームを検証する'), answer(1, 'Form')]))
  const search = (query: string, options: SearchOptions = {}) => searchRecords(at, { query, options })
  const places = (query: string, options?: SearchOptions) =>
    search(query, options)
      .hits.map(({ id, seq }) => `${id} ${seq}`)
      .sort()
  return { at, search, places }
}

describe('searchRecords', () => {
  it('gives the event with session, time, role and a snippet', () => {
    expect(stored().search('LOGIN form -validate').hits).toEqual([
      {
        id: 'code',
        seq: 1,
        time: T0 + 1,
        role: 'user',
        snippet: 'Where is the login form validated?',
        matches: [
          [13, 5],
          [19, 4],
        ],
      },
      expect.objectContaining({ id: 'code', seq: 2, role: 'assistant' }),
    ])
  })

  it.each([
    ['form', ['code 1', 'code 2', 'code 3', '日本 1']],
    ['"form validated"', ['code 1']],
    ['"form is validated"', ['code 2']],
    ['valid*', ['code 1', 'code 2', 'code 3']],
    ['登录', ['code 2']],
    ['表单', ['code 2']],
    ['证', ['code 2']],
    ['検索', ['日本 0']],
    ['全文検索', ['日本 0']],
    ['文全', []],
    ['検証 OR where', ['code 1', '日本 0']],
    ['form -login', ['日本 1']],
    ['login.ts', ['code 2', 'code 3']],
    ['absent', []],
  ])('finds %s where it is', (query, expected) => {
    expect(stored().places(query)).toEqual([...expected].sort())
  })

  it('narrows to a directory and to a role', () => {
    const { places } = stored()
    expect(places('form', { cwd: '/else' })).toEqual(['日本 1'])
    expect(places('form', { role: 'tool' })).toEqual(['code 3'])
    expect(places('form', { role: 'assistant', cwd: '/work' })).toEqual(['code 2'])
    expect(places('form', { cwd: '/' })).toEqual([])
  })

  it('leaves the trash alone', () => {
    const { at, places } = stored()
    trashSession(at, { id: 'code' as SessionId })
    expect(places('form')).toEqual(['日本 1'])
  })

  it('ranks what says more of the query in fewer words first', () => {
    const at = openStore()
    const texts = ['fox '.repeat(5), `fox ${'other words '.repeat(50)}`, 'a fox']
    store(at, header(), toRecords(texts.map((text, seq) => prompt(seq, text))))
    expect(searchRecords(at, { query: 'fox', options: {} }).hits.map(({ seq }) => seq)).toEqual([0, 2, 1])
  })

  it('pages without losing or repeating a hit, whatever is stored meanwhile', () => {
    const at = openStore()
    store(at, header(), toRecords(Array.from({ length: 25 }, (_, seq) => prompt(seq, `fox ${'x '.repeat(seq % 5)}`))))
    const all = searchRecords(at, { query: 'fox', options: { limit: 100 } }).hits
    const found: number[] = []
    let cursor: string | undefined
    do {
      const page = searchRecords(at, { query: 'fox', options: { limit: 4, ...(cursor !== undefined && { cursor }) } })
      found.push(...page.hits.map(({ seq }) => seq))
      cursor = page.cursor
      store(at, header(`late ${found.length}`), toRecords([prompt(0, 'fox')]))
    } while (cursor !== undefined)
    expect(found).toEqual(all.map(({ seq }) => seq))
    expect(new Set(found).size).toBe(25)
  })

  it.each([
    ['', {}, 'INVALID_CONFIG'],
    ['fox', { limit: 0 }, 'INVALID_BOUNDARY'],
    ['fox', { cursor: 'x' }, 'INVALID_BOUNDARY'],
  ])('refuses %j with %j', (query, options, code) => {
    const { search } = stored()
    expect(() => search(query, options)).toThrow(expect.objectContaining({ code }))
  })
})
