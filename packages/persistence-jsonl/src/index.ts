export * from './driver.js'
