import type { Tool, ToolContext } from '../../src/tools/tool.ts'

/** A tool of a test. */
export function toolNamed(
  name: string,
  run: (args: Readonly<Record<string, unknown>>, context: ToolContext) => Promise<string> | string,
  hasEffects = false,
): Tool {
  return {
    schema: { name, description: `Tool ${name}.`, parameters: { type: 'object' } },
    hasEffects,
    run: async (args, context) => ({ text: await run(args, context) }),
  }
}

/** A tool that runs until somebody aborts it. */
export function endlessTool(name: string, started: () => void = () => {}): Tool {
  return toolNamed(name, (_, { signal }) => {
    started()
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
  })
}
