import fc from 'fast-check'

export const ids = ['a', 'b', 'c'] as const
export const hookNames = [
  'session/created',
  'session/event',
  'session/flush',
  'session/disposed',
  'internal/dispatch',
] as const

export type Id = (typeof ids)[number]
export type Owner = 0 | 1
export type HookName = (typeof hookNames)[number]
export type Failure = 'throw' | 'reject'

/** What can happen to a store with two plugins that own sessions. */
export type Command =
  | { readonly do: 'create' | 'enter'; readonly owner: Owner; readonly id: Id }
  | { readonly do: 'fork'; readonly owner: Owner; readonly source: Id; readonly id: Id }
  | { readonly do: 'announce' | 'append' | 'flush'; readonly id: Id }
  /** Calls the detach function of the `stay`-th `enter`. */
  | { readonly do: 'detach'; readonly stay: number }
  | { readonly do: 'dispose'; readonly owner: Owner }
  /** The next dispatch of `hook` meets a listener that fails. */
  | { readonly do: 'arm'; readonly hook: HookName; readonly failure: Failure }

const id = fc.constantFrom(...ids)
const owner = fc.constantFrom<Owner>(0, 1)
const name = <Name extends Command['do']>(...names: Name[]) => fc.constantFrom(...names)

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: name('create', 'enter'), owner, id }) },
  { weight: 2, arbitrary: fc.record({ do: name('fork'), owner, source: id, id }) },
  { weight: 6, arbitrary: fc.record({ do: name('announce', 'append', 'append', 'flush'), id }) },
  { weight: 1, arbitrary: fc.record({ do: name('detach'), stay: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: name('dispose'), owner }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: name('arm'),
      hook: fc.constantFrom(...hookNames),
      failure: fc.constantFrom<Failure>('throw', 'reject'),
    }),
  },
)

export const commands: fc.Arbitrary<Command[]> = fc.array(command, { minLength: 5, maxLength: 40 })
