import { Argument, Command, Option } from 'commander'
import { groups } from './commands.ts'
import { addCompare } from './compare/command.ts'
import { getCompletionScript, shells } from './completion.ts'
import { addDeclarativeCommands } from './declarative/commands.ts'
import type { CommandDescription } from './describe-commands.ts'
import { addEventsTail, addListen } from './events/command.ts'
import { exitCodes } from './exit-codes.ts'
import { formats } from './format.ts'
import type { Io } from './io.ts'
import { addLoginsTail } from './logins/command.ts'
import { addFieldOptions } from './options.ts'
import { addProfileCommands } from './profile-commands.ts'
import { readCommands, readPackageVersion } from './read-commands.ts'
import { addVerifyReceipt } from './receipts/command.ts'
import { addUserImport } from './user-import/command.ts'

/** Creates the commands with their options and help. A command loads its code and the contract when it runs, so that help starts fast. */
export function createProgram(io: Io): Command {
  const program = new Command('social-login')
    .description('The management console on the command line.')
    .configureOutput({
      writeOut: io.print,
      writeErr: io.printError,
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
    })
    .exitOverride()
    .showHelpAfterError('Add --help to list commands and options.')
    .version(readPackageVersion(), '--version', 'print the version')
    .option('--url <address>', 'address of the console (default: SOCIAL_LOGIN_URL, or that of the profile)')
    .option('--token-file <file>', 'file with the token (default: SOCIAL_LOGIN_TOKEN, or the token of the profile)')
    .option('--profile <name>', 'stored profile (default: SOCIAL_LOGIN_PROFILE, or that of the last login)')
    .option('--allow-http', 'send the token to an address without TLS')
    .addOption(new Option('-o, --output <format>', 'output format').choices(formats))
    .option('--columns <names>', 'columns of lists to print, separated by commas')
    .option('--json', 'same as -o json: the response of the Admin API, unchanged')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', firstSteps)
    .addHelpText('after', formatExitCodes)
  addDeclarativeCommands(program, io)
  addProfileCommands(program, io)
  addCompare(program, io)
  const commands = readCommands()
  for (const [name, about] of Object.entries(groups)) {
    const group = program.command(name).description(about)
    for (const command of commands) if (command.words.startsWith(`${name} `)) addCommand(group, command, io)
    if (name === 'users') addUserImport(group, io)
    if (name === 'events') addEventsTail(group, io)
    if (name === 'logins') addLoginsTail(group, io)
  }
  addListen(program, io)
  addVerifyReceipt(program, io)
  addCompletion(program, io)
  return program
}

const firstSteps = `
First steps:
  social-login login --url https://console.example.com    store address and token; or set SOCIAL_LOGIN_URL and SOCIAL_LOGIN_TOKEN
  social-login me show                           show the token's name and roles
  social-login sites list --account demo         list sites; --help after any command shows its options
  social-login export --account demo > demo.yaml export the settings to a file; edit it, then run diff -f and apply -f`

function formatExitCodes(): string {
  const lines = Object.values(exitCodes).map(({ code, meaning }) => `  ${String(code).padEnd(4)}${meaning}`)
  return `\nExit codes:\n${lines.join('\n')}`
}

function addCommand(group: Command, description: CommandDescription, io: Io): void {
  const { words, procedure, summary, notes, fields, needs_confirmation, has_revision, returns_secret } = description
  const command = group
    .command(words.split(' ')[1] ?? '')
    .description(`${summary}.`)
    .addHelpText('after', notes)
  if (procedure === undefined) command.requiredOption('--to <file>', 'write the ZIP to this file, which must not exist')
  addFieldOptions(command, fields)
  if (has_revision)
    command.option('--revision <number>', 'change only if this is the current revision (default: the newest)')
  if (needs_confirmation) command.option('--yes', 'skip the confirmation; without a terminal, there is none')
  if (returns_secret)
    command.option('--secrets-out <file>', 'append the secret to this file, mode 0600, instead of printing it')
  command.action(async () => {
    const options = command.optsWithGlobals()
    if (procedure === undefined) return (await import('./fetch-export.ts')).fetchExport(options, io)
    return (await import('./run-procedure.ts')).runProcedure(procedure, options, io)
  })
}

function addCompletion(program: Command, io: Io): void {
  program
    .command('completion')
    .description('Print a script for your shell that completes commands and options.')
    .addArgument(new Argument('<shell>').choices(shells))
    .addHelpText(
      'after',
      '\nBash: eval "$(social-login completion bash)"   zsh: the same   fish: social-login completion fish | source',
    )
    .action((shell: (typeof shells)[number]) => io.print(getCompletionScript(shell)))
}
