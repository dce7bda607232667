import type { JsonObject, JsonValue } from '@dsh/llm'
import { ToolError } from './tool.ts'

/** The arguments of a call as an object, or undefined where the model wrote anything else. */
export function parseArguments(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}

/** A text argument. @throws ToolError */
export function textArgument(args: JsonObject, name: string, fallback?: string): string {
  const value = args[name] ?? fallback
  if (typeof value === 'string') return value
  throw invalid(name, 'a string', value)
}

/** A whole number from `least` to `most`. @throws ToolError */
export function countArgument(
  args: JsonObject,
  name: string,
  { least, most, fallback }: { readonly least: number; readonly most: number; readonly fallback: number },
): number {
  const value = args[name] ?? fallback
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  throw invalid(name, `a whole number from ${least} to ${most}`, value)
}

/** One of some texts, the first of them by default. @throws ToolError */
export function choiceArgument<Choice extends string>(
  args: JsonObject,
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const value = args[name] ?? choices[0]
  const found = choices.find(choice => choice === value)
  if (found !== undefined) return found
  throw invalid(name, choices.map(choice => JSON.stringify(choice)).join(' or '), value)
}

function invalid(name: string, expected: string, found: JsonValue | undefined): ToolError {
  const shown = found === undefined ? 'nothing' : JSON.stringify(found)
  return new ToolError('INVALID_ARGUMENTS', `Argument "${name}": expected ${expected}, found ${shown}.`)
}
