import { describeValue } from './describe.js'
import { SessionError } from './error.js'

type Fields = { readonly [key: string]: unknown }

/**
 * Checks what derivation reads of a payload that is JSON already: messages, routes and header reasons. The rest of a
 * payload, and the payloads of types nobody here knows, are kept as they are.
 * @throws INVALID_EVENT naming the path
 */
export function checkPayload(type: string, data: unknown, seq: number): void {
  switch (type) {
    case 'assistant/chunk':
      return
    case 'user/message':
      checkMessage(object(data, 'data', '', seq), 'user', 'data', seq)
      return
    case 'steering/message':
      checkMessage(member(data, 'message', seq), 'user', 'data.message', seq)
      return
    case 'assistant/message':
      checkAssistantMessage(member(data, 'message', seq), seq)
      return
    case 'tool/result':
      checkToolResult(member(data, 'message', seq), seq)
      return
    case 'request/header':
      checkRequestHeader(object(data, 'data', '', seq), seq)
  }
}

// Paths are handed on in parts and put together only for an error: this runs for every message that is appended.

function checkAssistantMessage(message: Fields, seq: number): void {
  checkMessage(message, 'assistant', 'data.message', seq)
  const source = message.source as Fields
  literal(source.kind, 'model', 'data.message.source', '.kind', seq)
  text(source.provider, 'data.message.source', '.provider', seq)
  text(source.model, 'data.message.source', '.model', seq)
}

function checkToolResult(message: Fields, seq: number): void {
  checkMessage(message, 'user', 'data.message', seq)
  const source = message.source as Fields
  literal(source.kind, 'tool', 'data.message.source', '.kind', seq)
  text(source.callId, 'data.message.source', '.callId', seq)
  const content = message.content as readonly Fields[]
  if (content.length !== 1) throw invalid(seq, 'data.message.content', 'exactly one block', `${content.length}`)
  const block = content[0]!
  literal(block.type, 'tool-result', 'data.message.content[0]', '.type', seq)
  literal(block.toolCallId, source.callId as string, 'data.message.content[0]', '.toolCallId', seq)
}

function checkRequestHeader(data: Fields, seq: number): void {
  const header = object(data.header, 'data', '.header', seq)
  const config = object(header.config, 'data.header', '.config', seq)
  text(config.provider, 'data.header.config', '.provider', seq)
  text(config.model, 'data.header.config', '.model', seq)
  if (header.system !== undefined && typeof header.system !== 'string') {
    throw invalid(seq, 'data.header.system', 'a string', describeValue(header.system))
  }
  if (header.tools !== undefined) list(header.tools, 'data.header', '.tools', seq)
  const { reason } = data
  if (reason !== 'initial' && reason !== 'resume' && reason !== 'change') {
    throw invalid(seq, 'data.reason', "'initial', 'resume' or 'change'", describeValue(reason))
  }
}

function checkMessage(message: Fields, role: string, path: string, seq: number): void {
  text(message.id, path, '.id', seq)
  literal(message.role, role, path, '.role', seq)
  const source = object(message.source, path, '.source', seq)
  text(source.kind, path, '.source.kind', seq)
  checkContent(message.content, path, seq)
}

function checkContent(content: unknown, path: string, seq: number): void {
  const blocks = list(content, path, '.content', seq)
  for (let index = 0; index < blocks.length; index++) {
    if (!isText(blocks[index])) checkBlock(blocks[index], `${path}.content[${index}]`, seq)
  }
}

/** Whether a block is the commonest kind and right, so that its path need not be put together. */
function isText(block: unknown): boolean {
  if (typeof block !== 'object' || block === null) return false
  const { type, text } = block as Fields
  return type === 'text' && typeof text === 'string'
}

function checkBlock(value: unknown, path: string, seq: number): void {
  const block = object(value, path, '', seq)
  switch (block.type) {
    case 'text':
    case 'reasoning':
      if (typeof block.text !== 'string') throw invalid(seq, `${path}.text`, 'a string', describeValue(block.text))
      return
    case 'tool-call':
      text(block.id, path, '.id', seq)
      text(block.name, path, '.name', seq)
      if (typeof block.arguments !== 'string') {
        throw invalid(seq, `${path}.arguments`, 'JSON text', describeValue(block.arguments))
      }
      return
    case 'tool-result':
      text(block.toolCallId, path, '.toolCallId', seq)
      checkContent(block.content, path, seq)
      return
    default:
      text(block.type, path, '.type', seq)
  }
}

function member(data: unknown, key: string, seq: number): Fields {
  return object(object(data, 'data', '', seq)[key], 'data.', key, seq)
}

function object(value: unknown, path: string, key: string, seq: number): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw invalid(seq, path + key, 'an object', describeValue(value))
}

function list(value: unknown, path: string, key: string, seq: number): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw invalid(seq, path + key, 'a list', describeValue(value))
}

function text(value: unknown, path: string, key: string, seq: number): void {
  if (typeof value !== 'string' || value === '')
    throw invalid(seq, path + key, 'a non-empty string', describeValue(value))
}

function literal(value: unknown, expected: string, path: string, key: string, seq: number): void {
  if (value !== expected) throw invalid(seq, path + key, JSON.stringify(expected), describeValue(value))
}

function invalid(seq: number, path: string, expected: string, found: string): SessionError {
  return new SessionError('INVALID_EVENT', { expected, found, seq, path })
}
