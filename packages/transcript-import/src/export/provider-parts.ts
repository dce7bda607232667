import { type Message, providerTranscript } from '@dsh/llm'
import type { EpochHeader, SessionView } from '@dsh/session'
import type { ExportOptions } from './options.js'
import { Redactor } from './redact.js'

/** What a request is made of, as a provider accepts it. */
export interface ProviderParts {
  readonly header: EpochHeader | undefined
  readonly messages: readonly Message[]
}

/** The history that the model sees, with the header in force. */
export function providerParts(view: SessionView, { redact }: ExportOptions): ProviderParts {
  const redactor = new Redactor(redact)
  const { messages } = providerTranscript(view.deriveMessages())
  const header = view.requestHeader()
  return {
    header: header && redactHeader(header, redactor),
    messages: messages.map(message => redactor.message(message)),
  }
}

/** A header of which the hook has seen the system prompt and the tools. */
export function redactHeader(header: EpochHeader, redactor: Redactor): EpochHeader {
  if (!redactor.isActive) return header
  const { system, tools } = header
  return {
    ...header,
    ...(system !== undefined && { system: redactor.text(system, { kind: 'system' }) }),
    ...(tools !== undefined && {
      tools: tools.map(tool => ({
        ...tool,
        description: redactor.text(tool.description, { kind: 'tool' }),
        parameters: redactor.value(tool.parameters, { kind: 'tool' }),
      })),
    }),
  }
}
