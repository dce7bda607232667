export { Context } from '@deepseek-ai/cordis'
export { default as SessionStore } from '@deepseek-ai/dsh-session'
export { default as backend } from '@deepseek-ai/dsh-session-persistence-sqlite'
