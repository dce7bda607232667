import { wholeRange } from '@dsh/compaction'
import { requestAt, type SessionView } from '@dsh/session'
import { summaryRequest } from '../../src/agent/compaction.ts'
import type { ModelRequest, Provider } from '../../src/model/provider.ts'

/** Every request that a log says was sent, in order: those of steps, of their further attempts, and of compactions. */
export function rebuiltRequests(log: SessionView): ModelRequest[] {
  const requests: ModelRequest[] = []
  let isStreaming = false
  for (const event of log) {
    if (event.type === 'step/start') isStreaming = false
    if (event.type === 'compact/start') {
      const view = log.at(event.seq)
      requests.push(summaryRequest(view, wholeRange(view, event.data.start, event.data.end)))
    }
    if (event.type !== 'assistant/chunk') continue
    if (!isStreaming) {
      const { header, messages } = requestAt(log, event.seq)
      requests.push({ header: header!, messages })
    }
    isStreaming = event.data.chunk.type !== 'finish'
  }
  return requests
}

/** A provider that keeps what it sends, as text. */
export function recording(provider: Provider): Provider & { readonly sent: readonly string[] } {
  const sent: string[] = []
  return {
    config: provider.config,
    ...(provider.contextWindow !== undefined && { contextWindow: provider.contextWindow }),
    sent,
    stream(request, signal) {
      sent.push(JSON.stringify(request))
      return provider.stream(request, signal)
    },
  }
}
