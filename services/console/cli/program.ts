import { Argument, Command } from 'commander'
import { type AdminProcedure, type AdminProcedureName, adminApi } from '#admin-api'
import { apiOf } from './api.ts'
import { commands, groups } from './commands.ts'
import { completionScript, shells } from './completion.ts'
import { confirm } from './confirm.ts'
import { connectionOf } from './connection.ts'
import { addDeclarative } from './declarative/commands.ts'
import { exit_codes } from './exit-codes.ts'
import { Failure } from './failure.ts'
import { addFetchExport, fetch_export } from './fetch-export.ts'
import { fieldsOf } from './fields.ts'
import { inputOf } from './input.ts'
import type { Io } from './io.ts'
import { addFields, notesOf } from './options.ts'
import { needsRevision } from './request.ts'
import { openSecretsFile } from './secrets-out.ts'
import { readable } from './table.ts'

/** What answers tell once. */
const told_once = ['api_key', 'client_secret', 'token', 'link']

/** The commands, their options and their help, all of it from the contract. */
export function programOf(io: Io): Command {
  const program = new Command('social-login')
    .description('The management console on the command line.')
    .configureOutput({
      writeOut: io.print,
      writeErr: io.complain,
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
    })
    .exitOverride()
    .showHelpAfterError('Add --help for what there is.')
    .option('--url <address>', 'the console (default: SOCIAL_LOGIN_URL)')
    .option('--token-file <file>', 'holds the token (default: the token in SOCIAL_LOGIN_TOKEN)')
    .option('--allow-http', 'send the token to an address without TLS')
    .option('--json', 'print the answer of the Admin API as it is')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', first_steps)
    .addHelpText('after', exitHelp)
  addDeclarative(program, io)
  for (const [name, about] of Object.entries(groups)) {
    const group = program.command(name).description(about)
    for (const procedure of proceduresOf(name)) addCommand(group, procedure, io)
    if (fetch_export.startsWith(`${name} `)) addFetchExport(group, io)
  }
  addCompletion(program, io)
  return program
}

const first_steps = `
First steps:
  export SOCIAL_LOGIN_URL=https://console.example.com SOCIAL_LOGIN_TOKEN=slt_…
  social-login me show                           who the token is, and what it may do
  social-login sites list --account demo         what there is; --help after any command tells its options
  social-login export --account demo > demo.yaml all of it as a file: change it, then plan -f and apply -f it`

function exitHelp(): string {
  const lines = Object.values(exit_codes).map(({ code, meaning }) => `  ${String(code).padEnd(4)}${meaning}`)
  return `\nExit codes:\n${lines.join('\n')}`
}

function proceduresOf(group: string): AdminProcedureName[] {
  return Object.keys(commands)
    .filter(isProcedure)
    .filter((name) => commands[name].startsWith(`${group} `))
}

function isProcedure(name: string): name is AdminProcedureName {
  return Object.hasOwn(adminApi, name)
}

function addCommand(group: Command, name: AdminProcedureName, io: Io): void {
  const procedure: AdminProcedure = adminApi[name]
  const fields = fieldsOf(name, procedure)
  const command = group
    .command(commands[name].split(' ')[1] ?? '')
    .description(`${procedure.summary}.`)
    .addHelpText('after', () => notesOf(name, procedure))
  addFields(command, fields)
  if (needsRevision(procedure))
    command.option('--revision <number>', 'change this revision alone (default: the newest)')
  if (procedure.sensitive) command.option('--yes', 'do not ask before; scripts are not asked')
  if (tellsSecret(procedure))
    command.option('--secrets-out <file>', 'append what is told once to this file, mode 0600, not to the screen')
  command.action(async () => {
    const options = command.optsWithGlobals()
    const input = await inputOf(procedure, fields, options, io)
    const api = apiOf(await connectionOf(options, io))
    if (procedure.sensitive && io.interactive && !options.yes) await confirm(`${procedure.summary}. Do it?`, io)
    await using secrets = options.secretsOut ? await openSecretsFile(options.secretsOut) : undefined
    const answer = await api.send(name, input, revisionOf(options.revision))
    await secrets?.append({ ...input, ...asRow(answer) })
    const shown = secrets ? withoutSecrets(answer, options.secretsOut) : answer
    io.print(options.json ? `${JSON.stringify(shown, null, 2)}\n` : readable(shown, io.columns))
  })
}

function tellsSecret({ output }: AdminProcedure): boolean {
  const shape = 'shape' in output ? asRow(output.shape) : {}
  return told_once.some((name) => name in shape)
}

function withoutSecrets(answer: unknown, file: string): unknown {
  const entries = Object.entries(asRow(answer))
  return Object.fromEntries(
    entries.map(([name, value]) => [name, told_once.includes(name) && value !== null ? `(in ${file})` : value]),
  )
}

function asRow(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function revisionOf(written: unknown): number | undefined {
  if (written === undefined) return undefined
  if (/^\d{1,15}$/.test(String(written))) return Number(written)
  throw new Failure('usage', `--revision: "${String(written)}" is not a whole number.`)
}

function addCompletion(program: Command, io: Io): void {
  program
    .command('completion')
    .description('Print what has your shell complete commands and options.')
    .addArgument(new Argument('<shell>').choices(shells))
    .addHelpText(
      'after',
      '\nBash: eval "$(social-login completion bash)"   zsh: the same   fish: social-login completion fish | source',
    )
    .action((shell: (typeof shells)[number]) => io.print(completionScript(shell)))
}
