export type { AnswerOptions, ToolResultOptions } from './answer.js'
export { type RecordTurnOptions, recordTurn } from './record-turn.js'
export type { StepRecorder, WholeAnswerOptions } from './step-recorder.js'
export type { TurnRecorder } from './turn-recorder.js'
