import type { Command } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const

/**
 * What to give to the shell, which asks `social-login complete -- <words>` for what may stand at the last word. Where nothing
 * is told, it may be a file.
 */
const scripts: Record<(typeof shells)[number], string> = {
  bash: `_social_login() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(social-login complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _social_login social-login
`,
  zsh: `#compdef social-login
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_social_login() {
  local -a words_there
  words_there=("\${(@f)$(social-login complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$words_there" ]]; then compadd -a words_there; else _files; fi
}
compdef _social_login social-login
`,
  fish: `function __social_login
  set -l words_there (social-login complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if set -q words_there[1]
    printf '%s\\n' $words_there
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c social-login -f -a '(__social_login)'
`,
}

export function completionScript(shell: (typeof shells)[number]): string {
  return scripts[shell]
}

/**
 * What may stand at the last of the words.
 *
 * @param words those after `social-login`, and perhaps `--` first; the last is being written and may be empty
 */
export function completionsOf(program: Command, words: readonly string[]): string[] {
  const written = words[0] === '--' ? words.slice(1) : words
  const before = written.slice(0, -1)
  const command = before.reduce((at, word) => at.commands.find((one) => one.name() === word) ?? at, program)
  const start = written.at(-1) ?? ''
  const options = [...command.options, ...program.options]
  const asked = options.find((option) => option.long === before.at(-1))
  if (asked && (asked.required || asked.optional))
    return (asked.argChoices ?? []).filter((choice) => choice.startsWith(start))
  const names = command.commands.map((one) => one.name())
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? [])
  const flags = options.flatMap(({ long }) => long ?? []).filter((long) => !before.includes(long))
  return [...names, ...choices, ...(names.length === 0 || start.startsWith('-') ? [...flags, '--help'] : [])].filter(
    (word) => word.startsWith(start),
  )
}
