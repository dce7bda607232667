import { describe, expect, it } from 'vitest'
import { LogWriter } from '../../src/log/log-writer.js'
import { RequestLog } from '../../src/turn/request-log.js'

const header = (model: string) => ({ config: { provider: 'p', model } })

function written(steps: readonly [model: string, window?: number][]): unknown[] {
  const writer = new LogWriter('codex', 0)
  const requests = new RequestLog()
  for (const [model, contextWindow] of steps) {
    requests.set(header(model), contextWindow)
    requests.write(writer, 1)
    requests.write(writer, 1)
  }
  return writer.drain().map(({ type, data }) => (type === 'request/header' ? data.reason : data))
}

describe('RequestLog', () => {
  it('writes the first header, and others where they change something', () => {
    expect(written([['a'], ['a'], ['b'], ['a']])).toEqual(['initial', 'change', 'change'])
  })

  it('writes the capacity beside the header, where it changes', () => {
    const context = (model: string, contextWindow: number) => ({ provider: 'p', model, contextWindow })
    expect(written([['a', 5], ['b'], ['a', 5], ['b', 7]])).toEqual([
      'initial',
      context('a', 5),
      'change',
      'change',
      'change',
      context('b', 7),
    ])
  })

  it('keeps a header that no request has followed', () => {
    const writer = new LogWriter('codex', 0)
    const requests = new RequestLog()
    requests.close(writer)
    requests.set(header('a'), 5)
    requests.close(writer)
    requests.write(writer, 1)
    requests.set(header('a'), undefined)
    requests.close(writer)
    expect(writer.drain().map(({ data }) => data)).toMatchObject([
      { kind: 'unused request', record: { header: header('a'), contextWindow: 5 }, rest: true },
      { header: header('a') },
      { contextWindow: 5 },
    ])
  })

  it('writes nothing before a header is known', () => {
    expect(written([])).toEqual([])
  })
})
