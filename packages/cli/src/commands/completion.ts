import { defineCommand } from '../command.js'
import { usage } from '../parse-value.js'
import { scripts, shellNames } from '../shells/scripts.js'

export default defineCommand({
  about:
    'Prints the script that makes a shell complete commands, options, session ids and file names. For bash: ' +
    '`source <(dsh-session completion bash)` in ~/.bashrc; for zsh: the same with zsh in ~/.zshrc, behind compinit; for ' +
    'fish: `dsh-session completion fish > ~/.config/fish/completions/dsh-session.fish`.',
  args: [{ name: 'shell', about: 'bash, zsh or fish', completes: shellNames }],
  examples: [{ command: 'dsh-session completion bash', about: 'The script for bash.' }],
  async run({ out }, [shell]) {
    const name = shellNames.find(each => each === shell)
    if (name === undefined) throw usage(`completion knows ${shellNames.join(', ')}, not ${JSON.stringify(shell)}`)
    out.safe(scripts[name])
    return 0
  },
})
