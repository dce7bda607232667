import { Session } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { SessionEntry } from '../src/entry.js'
import { expectError } from './support/expect-error.js'
import { RecordingBus } from './support/recording-bus.js'

interface Stay {
  readonly bus: RecordingBus
  readonly session: Session
  readonly entry: SessionEntry
  /** What happened, in order. */
  readonly journal: string[]
}

function enter(session = new Session('s')): Stay {
  const bus = new RecordingBus()
  const journal: string[] = []
  const entry = new SessionEntry(session, {}, { bus, remove: () => journal.push('removed') })
  return { bus, session, entry, journal }
}

/** An announced entry whose journal also holds what a listener of each event hears. */
function announced(): Stay {
  const stay = enter()
  stay.entry.announce()
  hear(stay)
  return stay
}

function hear({ bus, journal }: Stay): void {
  bus.on('session/created', () => journal.push('created'))
  bus.on('session/event', (_, event) => journal.push(`event ${event!.seq}`))
  bus.on('session/flush', () => journal.push('flush'))
  bus.on('session/disposed', () => journal.push('disposed'))
}

const todo = (session: Session) => session.append('todo/write', { todos: [] })

describe('admit', () => {
  it('publishes each event after its commit', () => {
    const { bus, session, journal } = announced()
    bus.on('session/event', (given, event) => journal.push(`in log: ${given.eventAt(event!.seq) === event}`))
    todo(session)
    todo(session)
    expect(journal).toEqual(['event 0', 'in log: true', 'event 1', 'in log: true'])
  })

  it('leaves the log as it was when a validator of dispatches throws', () => {
    const { bus, session, journal } = announced()
    todo(session)
    const veto = new Error('no')
    bus.validate = () => {
      throw veto
    }
    expect(() => todo(session)).toThrow(veto)
    expect(session.seq).toBe(1)
    bus.validate = () => undefined
    todo(session)
    expect(journal).toEqual(['event 0', 'event 1'])
  })

  it('asks the validator although nobody listens', () => {
    const { bus, session, entry } = enter()
    entry.announce()
    const asked: unknown[] = []
    bus.validate = dispatch => asked.push([dispatch.name, dispatch.event?.seq, session.seq])
    todo(session)
    expect(asked).toEqual([['session/event', 0, 0]])
  })

  it('refuses an append from a listener and from a validator, and commits the outer one', () => {
    const { bus, session, journal } = announced()
    const codes: string[] = []
    const again = () => {
      codes.push(expectError('REENTRANT_APPEND', () => todo(session)).code)
    }
    bus.on('session/event', again)
    bus.validate = again
    todo(session)
    expect(codes).toHaveLength(2)
    expect(session.seq).toBe(1)
    expect(journal).toEqual(['event 0'])
  })
})

describe('announce', () => {
  it('tells of the session once', () => {
    const stay = enter()
    hear(stay)
    stay.entry.announce()
    stay.entry.announce()
    expect(stay.journal).toEqual(['created'])
  })

  it('has no second go when a listener announces again', () => {
    const stay = enter()
    hear(stay)
    stay.bus.on('session/created', () => stay.entry.announce())
    stay.entry.announce()
    expect(stay.journal).toEqual(['created'])
  })

  it('publishes what was appended since the entry behind the announcement, in order', () => {
    const stay = enter()
    stay.bus.on('session/created', session => void todo(session))
    hear(stay)
    todo(stay.session)
    expect(stay.journal).toEqual([])
    stay.entry.announce()
    expect(stay.journal).toEqual(['created', 'event 0', 'event 1'])
    todo(stay.session)
    expect(stay.journal.at(-1)).toBe('event 2')
  })

  it('refuses appends from listeners that hear of an earlier one, as anywhere', () => {
    const stay = enter()
    const codes: string[] = []
    stay.bus.on('session/event', session => {
      codes.push(expectError('REENTRANT_APPEND', () => todo(session)).code)
    })
    todo(stay.session)
    stay.entry.announce()
    expect(codes).toHaveLength(1)
    todo(stay.session)
    expect(stay.session.seq).toBe(2)
  })

  it('lets a validator refuse appends before the announcement', () => {
    const stay = enter()
    stay.bus.validate = () => {
      throw new Error('no')
    }
    expect(() => todo(stay.session)).toThrow('no')
    expect(stay.session.seq).toBe(0)
  })

  it('takes the session back when a listener throws, and pairs the announcement', () => {
    const stay = enter()
    hear(stay)
    const veto = new Error('veto')
    stay.bus.on('session/created', session => {
      todo(session)
      throw veto
    })
    stay.bus.on('session/created', () => stay.journal.push('after the veto'))
    expect(() => stay.entry.announce()).toThrow(veto)
    expect(stay.journal).toEqual(['created', 'removed', 'disposed'])
    expect(stay.entry.hasLeft).toBe(true)
    expectError('SESSION_NOT_LIVE', () => stay.entry.announce())
  })

  it('takes the session back without a word when the dispatch itself is refused', () => {
    const stay = enter()
    hear(stay)
    stay.bus.validate = () => {
      throw new Error('no')
    }
    expect(() => stay.entry.announce()).toThrow('no')
    expect(stay.journal).toEqual(['removed'])
  })
})

describe('flush', () => {
  it('runs every listener and rejects with the first failure in their order, the others reported', async () => {
    const { bus, entry, journal } = announced()
    bus.on('session/flush', () => Promise.reject('first'))
    bus.on('session/flush', () => {
      throw 'second'
    })
    bus.on('session/flush', async () => void journal.push('last'))
    await expect(entry.flush()).rejects.toBe('first')
    expect(journal).toEqual(['flush', 'last'])
    expect(bus.reports.map(({ error, name }) => [error, name])).toEqual([['second', 'session/flush']])
  })

  it('rejects, and does not throw, when the dispatch is refused', async () => {
    const { bus, entry } = announced()
    bus.validate = () => {
      throw new Error('no')
    }
    await expect(entry.flush()).rejects.toThrow('no')
  })
})

describe('leave', () => {
  it('removes first and then tells, once', () => {
    const { entry, journal } = announced()
    entry.onLeave = () => journal.push('left')
    entry.leave()
    entry.leave()
    expect(journal).toEqual(['removed', 'left', 'disposed'])
  })

  it('tells nobody of a session that nobody has heard of', () => {
    const stay = enter()
    hear(stay)
    stay.entry.leave()
    expect(stay.journal).toEqual(['removed'])
  })

  it('refuses appends from then on, also those of disposal listeners', () => {
    const { bus, entry, session } = announced()
    let code = ''
    bus.on('session/disposed', given => {
      code = expectError('SESSION_NOT_LIVE', () => todo(given)).code
    })
    entry.leave()
    expect(code).toBe('SESSION_NOT_LIVE')
    expect(expectError('SESSION_NOT_LIVE', () => todo(session)).session).toBe('s')
    expect(session.seq).toBe(0)
  })

  it('waits for the dispatch that asked for it to unwind', () => {
    for (const name of ['session/event', 'session/created', 'session/flush'] as const) {
      const stay = enter()
      stay.bus.on(name, () => stay.entry.leave())
      hear(stay)
      todo(stay.session)
      stay.entry.announce()
      const flushed = stay.entry.hasLeft ? undefined : stay.entry.flush()
      const published = name === 'session/flush' ? ['created', 'event 0', 'flush'] : ['created', 'event 0']
      expect(stay.journal, name).toEqual([...published, 'removed', 'disposed'])
      void flushed
    }
  })

  it('lets the append go through whose validator asked for it', () => {
    const { bus, entry, session, journal } = announced()
    bus.validate = ({ name }) => {
      if (name === 'session/event') entry.leave()
    }
    todo(session)
    expect(session.seq).toBe(1)
    expect(journal).toEqual(['event 0', 'removed', 'disposed'])
  })

  it('comes after the refusal when the validator that asked for it also throws', () => {
    const { bus, entry, session, journal } = announced()
    bus.validate = ({ name }) => {
      if (name !== 'session/event') return
      entry.leave()
      throw new Error('no')
    }
    expect(() => todo(session)).toThrow('no')
    expect(journal).toEqual(['removed', 'disposed'])
  })

  it('reports what disposal listeners throw, or what refuses the dispatch', () => {
    const first = announced()
    first.bus.on('session/disposed', () => {
      throw 'listener'
    })
    first.entry.leave()
    expect(first.bus.reports.map(report => report.error)).toEqual(['listener'])

    const second = announced()
    second.bus.validate = () => {
      throw 'refused'
    }
    second.entry.leave()
    expect(second.bus.reports).toEqual([{ error: 'refused', name: 'session/disposed', listener: undefined }])
    expect(second.journal).toEqual(['removed'])
  })
})

describe('close', () => {
  it('flushes before it removes and tells, once however often it is called', async () => {
    const { entry, journal } = announced()
    await Promise.all([entry.close(), entry.close()])
    await entry.close()
    expect(journal).toEqual(['flush', 'removed', 'disposed'])
  })

  it('keeps the session live until the flush has settled, and reports its failure', async () => {
    const { bus, entry, session, journal } = announced()
    let fail: (reason: string) => void = () => undefined
    bus.on('session/flush', () => new Promise((_, reject) => (fail = reject)))
    const closed = entry.close()
    todo(session)
    expect(entry.hasLeft).toBe(false)
    fail('disk full')
    await closed
    expect(journal).toEqual(['flush', 'event 0', 'removed', 'disposed'])
    expect(bus.reports).toEqual([{ error: 'disk full', name: 'session/flush', listener: undefined }])
  })

  it('does nothing for an entry that has left', async () => {
    const { entry, journal } = announced()
    entry.leave()
    await entry.close()
    expect(journal).toEqual(['removed', 'disposed'])
  })
})
