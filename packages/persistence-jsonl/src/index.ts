export * from './driver.js'
export * from './jsonl-persistence.js'
export { JsonlPersistence as default } from './jsonl-persistence.js'
