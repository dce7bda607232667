import { defineCommand } from '../command.js'
export default defineCommand({
  about: '',
  examples: [],
  async run() {
    return 0
  },
})
