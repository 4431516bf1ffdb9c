import type { Command } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const

/** Shell scripts that call `social-login complete -- <words>` to complete the last word. Without a result, the shell completes file names. */
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
  local -a candidates
  candidates=("\${(@f)$(social-login complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$candidates" ]]; then compadd -a candidates; else _files; fi
}
compdef _social_login social-login
`,
  fish: `function __social_login
  set -l candidates (social-login complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if set -q candidates[1]
    printf '%s\\n' $candidates
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c social-login -f -a '(__social_login)'
`,
}

export function getCompletionScript(shell: (typeof shells)[number]): string {
  return scripts[shell]
}

/**
 * Lists the completions of the last word.
 *
 * @param words the words after `social-login`, with an optional leading `--`; the last one is incomplete and can be empty
 */
export function listCompletions(program: Command, words: readonly string[]): string[] {
  const typed = words[0] === '--' ? words.slice(1) : words
  const before = typed.slice(0, -1)
  const command = before.reduce((at, word) => at.commands.find((one) => one.name() === word) ?? at, program)
  const start = typed.at(-1) ?? ''
  const options = [...command.options, ...program.options]
  const currentOption = options.find((option) => option.long === before.at(-1))
  if (currentOption && (currentOption.required || currentOption.optional))
    return (currentOption.argChoices ?? []).filter((choice) => choice.startsWith(start))
  const names = command.commands.map((one) => one.name())
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? [])
  const flags = options.flatMap(({ long }) => long ?? []).filter((long) => !before.includes(long))
  return [...names, ...choices, ...(names.length === 0 || start.startsWith('-') ? [...flags, '--help'] : [])].filter(
    (word) => word.startsWith(start),
  )
}
