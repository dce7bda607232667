/** A message as it goes over the wire in the OpenAI protocol. */
export interface WireMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: unknown
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  readonly tool_call_id?: string
}

/** What a strict provider would refuse in a transcript; empty when it would accept it. */
export function transcriptProblems(messages: readonly WireMessage[]): string[] {
  const problems: string[] = []
  let waiting: string[] = []
  for (const [at, message] of messages.entries()) {
    const problem = (text: string) => problems.push(`message ${at} (${message.role}): ${text}`)
    if (message.role === 'tool') {
      if (!waiting.includes(message.tool_call_id!)) problem(`no call ${message.tool_call_id} waits for a result`)
      waiting = waiting.filter(id => id !== message.tool_call_id)
      continue
    }
    if (waiting.length > 0) problem(`calls without result: ${waiting.join(', ')}`)
    waiting = []
    const calls = message.tool_calls ?? []
    if (calls.length === 0 && isBlank(message.content)) problem('no content')
    for (const { id, function: called } of calls) {
      if (waiting.includes(id)) problem(`call ${id} twice`)
      if (!isObject(called.arguments)) problem(`arguments of ${id} are no JSON object`)
      waiting.push(id)
    }
  }
  if (waiting.length > 0) problems.push(`at the end: calls without result: ${waiting.join(', ')}`)
  if (messages.every(({ role }) => role === 'system')) problems.push('no messages')
  return problems
}

function isBlank(content: unknown): boolean {
  return typeof content === 'string' ? content.trim() === '' : !Array.isArray(content) || content.length === 0
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
