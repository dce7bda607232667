export { addInterruptedTurn, addTurn } from '../src/conformance/turns.js'
