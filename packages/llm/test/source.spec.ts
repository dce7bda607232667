import { expectTypeOf, it } from 'vitest'
import type { CallId } from '../src/ids.js'
import type { MessageSource } from '../src/source.js'

it('asks of each source what its kind needs', () => {
  expectTypeOf<{ kind: 'user' }>().toExtend<MessageSource>()
  expectTypeOf<{ kind: 'plugin'; plugin: string }>().toExtend<MessageSource>()
  expectTypeOf<{ kind: 'model'; provider: string; model: string; replayState: { a: [1] } }>().toExtend<MessageSource>()
  expectTypeOf<{ kind: 'tool'; callId: CallId }>().toExtend<MessageSource>()
  expectTypeOf<{ kind: 'plugin' }>().not.toExtend<MessageSource>()
  expectTypeOf<{ kind: 'model'; provider: string }>().not.toExtend<MessageSource>()
  expectTypeOf<{ kind: 'tool'; callId: string }>().not.toExtend<MessageSource>()
  expectTypeOf<{ kind: 'model'; provider: string; model: string; replayState: Date }>().not.toExtend<MessageSource>()
})
