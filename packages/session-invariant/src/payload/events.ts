import type { SessionEventType } from '@dsh/session'
import { chunk } from './chunk.js'
import { assistantMessage, toolResultMessage, userMessage } from './message.js'
import { header, requestContext } from './request.js'
import { anything, exactly, literal, name, ordinal, type Shape, text } from './shape.js'
import { usage } from './usage.js'

const turn = ordinal
const step = ordinal

/** The payloads of the core events. Triggers, reasons and todo lists have rules of their own. */
export const payloadShapes = {
  'turn/start': exactly({ turn }, { trigger: anything }),
  'turn/end': exactly({ turn }, { reason: anything }),
  'step/start': exactly({ turn, step }),
  'step/end': exactly({ turn, step }),
  'user/message': userMessage,
  'assistant/chunk': exactly({ turn, step, chunk }),
  'assistant/message': exactly({ turn, step, message: assistantMessage }, { usage }),
  'tool/call': exactly({ turn, step, callId: name, name, arguments: text }),
  'tool/result': exactly(
    { turn, step, message: toolResultMessage },
    { error: exactly({ name: text, code: text }), meta: anything },
  ),
  'steering/message': exactly({ turn, message: userMessage }),
  'request/header': exactly({ header, reason: literal('initial', 'resume', 'change') }),
  'request/context': requestContext,
} satisfies Partial<Record<SessionEventType, Shape>>
