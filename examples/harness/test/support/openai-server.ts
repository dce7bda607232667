import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { transcriptProblems, type WireMessage } from './wire-transcript.ts'

/** What the server does with one request. */
export type Reply = (response: ServerResponse, body: RequestBody) => unknown

/** The body of a request, as far as tests look at it. */
export interface RequestBody {
  readonly model: string
  readonly messages: readonly WireMessage[]
  readonly tools?: readonly unknown[]
  readonly max_tokens?: number
}

/** A server on this machine that speaks the OpenAI streaming protocol, and refuses what a strict provider would. */
export interface OpenAiServer {
  readonly url: string
  /** The bodies of all requests, byte for byte. */
  readonly bodies: readonly string[]
  /** Connections that the client has broken off before the reply was complete. */
  readonly brokenOff: () => number
  close(): Promise<void>
}

/** Starts a server that answers each request with the next reply, and with the last one again when none is left. */
export async function startOpenAiServer(...replies: readonly Reply[]): Promise<OpenAiServer> {
  const bodies: string[] = []
  let brokenOff = 0
  const server = createServer(async (request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) brokenOff++
    })
    const text = await readText(request)
    bodies.push(text)
    const body = JSON.parse(text) as RequestBody
    const problems = transcriptProblems(body.messages)
    if (problems.length > 0) return void failed(400, problems.join('; '))(response, body)
    const reply = replies[Math.min(bodies.length, replies.length) - 1]!
    await reply(response, body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    bodies,
    brokenOff: () => brokenOff,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A stream of events that ends as it should. */
export function streamed(...chunks: readonly object[]): Reply {
  return response => {
    openStream(response)
    for (const chunk of chunks) response.write(event(chunk))
    response.end('data: [DONE]\n\n')
  }
}

/** A stream that carries whatever lines, and is then ended or torn off. */
export function rawStream(lines: readonly string[], end: 'ended' | 'torn' = 'ended'): Reply {
  return async response => {
    openStream(response)
    for (const line of lines) await new Promise(resolve => response.write(line, resolve))
    if (end === 'torn') response.socket!.destroy()
    else response.end()
  }
}

/** A stream that sends its chunks one at a time, each when `next` lets it. */
export function pacedStream(chunks: readonly object[], next: () => Promise<void>): Reply {
  return async response => {
    openStream(response)
    for (const chunk of chunks) {
      await next()
      response.write(event(chunk))
    }
    response.end('data: [DONE]\n\n')
  }
}

/** A stream that begins and then says nothing more. */
export function silent(...chunks: readonly object[]): Reply {
  return response => {
    openStream(response)
    for (const chunk of chunks) response.write(event(chunk))
  }
}

/** An HTTP error in the protocol's form. */
export function failed(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return response => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error: { message, type: 'error', param: null, code: null } }))
  }
}

/** A connection that is closed without an answer. */
export const hungUp: Reply = response => response.socket!.destroy()

/** Chunk builders. */
export const delta = {
  text: (content: string) => chunk({ content }),
  reasoning: (text: string) => chunk({ reasoning_content: text }),
  call: (index: number, id: string, name: string, args = '') =>
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }] }),
  args: (index: number, args: string) => chunk({ tool_calls: [{ index, function: { arguments: args } }] }),
  finish: (finish_reason: string) => chunk({}, finish_reason),
  usage: (prompt_tokens: number, completion_tokens: number, details: object = {}) => ({
    ...chunk({}),
    choices: [],
    usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens, ...details },
  }),
}

/** One event of the stream. */
export function event(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}

function chunk(delta: object, finish_reason: string | null = null) {
  const choices = [{ index: 0, delta, finish_reason }]
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'local', choices }
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
}

async function readText(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8')
  let text = ''
  for await (const part of request) text += part
  return text
}
