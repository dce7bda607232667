import type { ContentBlock } from '@dsh/llm'
import type { LoggedRequest } from '@dsh/session'
import { amount, number } from '../format/number.js'
import { localTime } from '../format/time.js'
import type { SurfaceMessage } from '../reading/surface-messages.js'
import type { Output } from '../terminal/output.js'
import { bold, cyan, dim, green, red, type Style, styled, type Text } from '../terminal/text.js'
import { linesOf } from '../terminal/wrap.js'
import { describeImage, describeRoute, describeSource } from './summary.js'

/** Lines of a tool's text that are shown where it is cut. */
const SHOWN_LINES = 12

const roleStyles: Readonly<Record<string, Style>> = { user: 'green', assistant: 'cyan', system: 'magenta' }

/** How much of a message to print. */
export interface MessagePrinting {
  readonly full: boolean
}

/** Prints a message for reading. */
export function printMessage(out: Output, { seq, time, message }: SurfaceMessage, { full }: MessagePrinting): void {
  const { role, source, content } = message
  const from = describeSource(source)
  const heading: Text = [styled(roleStyles[role] ?? 'bold', role), dim(`  ${localTime(time)}  #${seq}`)]
  out.line(from === '' || from === 'tool' ? heading : [heading, dim(`  ${from}`)])
  for (const block of content) printBlock(out, block, { full, indent: '  ' })
}

/** Prints what a request consists of beside its messages. */
export function printRequestHeader(out: Output, { header, contextWindow }: Omit<LoggedRequest, 'messages'>): void {
  if (header === undefined) {
    out.line(dim('no request is recorded before this point'))
    return
  }
  const { config, system, tools = [] } = header
  const { provider: _, model: __, ...settings } = config
  out.line([bold('request'), `  ${describeRoute(config)}`])
  if (contextWindow !== undefined) out.line(`  context window  ${number(contextWindow)} tokens`)
  for (const [key, setting] of Object.entries(settings)) out.line(`  ${key}  ${JSON.stringify(setting)}`)
  if (tools.length > 0) out.line(`  ${amount(tools.length, 'tool')}: ${tools.map(({ name }) => name).join(', ')}`)
  if (system !== undefined) {
    out.line('  system prompt')
    printText(out, system, { indent: '    ', full: true })
  }
}

interface BlockPrinting extends MessagePrinting {
  readonly indent: string
  readonly style?: Style
}

function printBlock(out: Output, block: ContentBlock, printing: BlockPrinting): void {
  const { indent } = printing
  switch (block.type) {
    case 'text':
      printText(out, block.text, { ...printing, full: printing.full || indent === '  ' })
      break
    case 'reasoning':
      printText(out, block.text, { ...printing, style: 'dim' })
      break
    case 'tool-call':
      out.line([indent, '→ ', cyan(block.name), dim(`  ${block.id}`)])
      printText(out, block.arguments, { ...printing, indent: `${indent}    ` })
      break
    case 'tool-result':
      out.line([indent, '← ', block.isError ? red('error') : green('ok'), dim(`  ${block.toolCallId}`)])
      for (const part of block.content) printBlock(out, part, { ...printing, indent: `${indent}    ` })
      break
    case 'image':
      out.line([indent, dim(describeImage(block))])
      break
    default:
      printText(out, JSON.stringify(block), { ...printing, style: 'dim' })
  }
}

function printText(out: Output, text: string, { indent, full, style }: BlockPrinting): void {
  const lines = linesOf(text, out.columns === undefined ? undefined : out.columns - indent.length)
  const shown = full || lines.length <= SHOWN_LINES + 1 ? lines : lines.slice(0, SHOWN_LINES)
  for (const line of shown) out.line([indent, style === undefined ? line : styled(style, line)])
  if (shown.length < lines.length) {
    out.line([indent, dim(`… ${amount(lines.length - shown.length, 'more line')} (--full)`)])
  }
}
