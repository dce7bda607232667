import { expectTypeOf, it } from 'vitest'
import type { ToolSchema } from '../src/tool-schema.js'

it('takes a JSON Schema as parameters and nothing that JSON cannot hold', () => {
  expectTypeOf<{
    name: string
    description: string
    parameters: { type: 'object'; required: string[] }
  }>().toExtend<ToolSchema>()
  expectTypeOf<{ name: string; description: string; parameters: { type: () => void } }>().not.toExtend<ToolSchema>()
  expectTypeOf<{ name: string; description: string; parameters: [] }>().not.toExtend<ToolSchema>()
  expectTypeOf<{ name: string; parameters: object }>().not.toExtend<ToolSchema>()
})
