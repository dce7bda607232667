// Every script hands the words of the command line to `dsh-session __complete` and offers the lines that come back: a word,
// and behind a tab what it means. The exit code 10 asks for file names, 11 for directories.

const bash = `# bash completion for dsh-session
_dsh_session() {
  local current word kind replies
  current="\${COMP_WORDS[COMP_CWORD]}"
  replies="$("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)"
  kind=$?
  COMPREPLY=()
  if [ $kind -eq 10 ]; then compopt -o default 2>/dev/null; return; fi
  if [ $kind -eq 11 ]; then compopt -o dirnames 2>/dev/null; return; fi
  while IFS=$'\\t' read -r word _; do
    [ -n "$word" ] && COMPREPLY+=("$(printf '%q' "$word")")
  done <<< "$replies"
}
complete -F _dsh_session dsh-session
`

const zsh = `#compdef dsh-session
# zsh completion for dsh-session
_dsh_session() {
  local line kind replies
  local -a words_found shown
  replies="$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)"
  kind=$?
  if (( kind == 10 )); then _files; return; fi
  if (( kind == 11 )); then _files -/; return; fi
  for line in "\${(@f)replies}"; do
    [[ -n "$line" ]] || continue
    words_found+=("\${line%%$'\\t'*}")
    if [[ "$line" == *$'\\t'* ]]; then shown+=("\${line%%$'\\t'*}  -- \${line#*$'\\t'}"); else shown+=("$line"); fi
  done
  compadd -l -d shown -a words_found
}
if [[ "\${funcstack[1]}" == _dsh_session ]]; then _dsh_session "$@"; else compdef _dsh_session dsh-session; fi
`

const fish = `# fish completion for dsh-session
function __dsh_session_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l replies ($words[1] __complete $words[2..-1] 2>/dev/null)
  set -l kind $status
  switch $kind
    case 10
      __fish_complete_path (commandline -ct)
    case 11
      __fish_complete_directories (commandline -ct)
    case '*'
      printf '%s\\n' $replies
  end
end
complete -c dsh-session -f -a '(__dsh_session_complete)'
`

/** The completion script of each shell. */
export const scripts = { bash, zsh, fish } as const

export const shellNames = Object.keys(scripts) as readonly (keyof typeof scripts)[]
