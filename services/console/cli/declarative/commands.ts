import { type Command, Option } from 'commander'
import type { Io } from '../io.ts'

/** Adds the commands for files: `plan`, `diff`, `apply`, `export`, `schema`. Each loads its code when it runs. */
export function addDeclarativeCommands(program: Command, io: Io): void {
  addPlan(program, io)
  addApply(program, io)
  addExport(program, io)
  program
    .command('schema')
    .description('Print the JSON Schema of the files, for editors.')
    .action(async () => (await import('./actions.ts')).printSchema(io))
}

function addPlan(program: Command, io: Io): void {
  const plan = addFileOptions(program.command('plan'))
    .description('Show what apply would create (+), change (~) and remove (-), without changing anything.')
    .option('--exit-code', 'exit with 10 if there are changes')
  plan.action(async () => (await import('./actions.ts')).showPlan(plan.optsWithGlobals(), io))
  const diff = addFileOptions(program.command('diff')).description(
    'Show the same as plan, and exit with 10 if the console differs from the files.',
  )
  diff.action(async () => (await import('./actions.ts')).showPlan({ ...diff.optsWithGlobals(), exitCode: true }, io))
}

function addApply(program: Command, io: Io): void {
  const command = addFileOptions(program.command('apply'))
    .description('Show the plan, then change the console to match the files. Applying again changes nothing.')
    .option('--yes', 'skip the confirmation')
    .option('--secrets-out <file>', 'append issued API keys and client secrets to this file, mode 0600, as JSON lines')
    .addOption(
      new Option('--confirm <consequence...>', 'accept these consequences of changed allowed_addresses').choices([
        'block_callers',
        'allow_all_addresses',
      ]),
    )
    .option('--print-secrets', 'print issued secrets instead, as JSON lines')
  command.action(async () => (await import('./actions.ts')).apply(command.optsWithGlobals(), io))
}

function addExport(program: Command, io: Io): void {
  const command = program
    .command('export')
    .description('Print the current state as a file for apply, without secrets; with -o json as JSON.')
    .option('--account <account...>', 'only these accounts')
    .option('--site-id <site_id...>', 'only these sites; requires one --account')
    .option('--to <file>', 'write to this file instead, which must not exist')
  command.action(async () => (await import('./actions.ts')).exportState(command.optsWithGlobals(), io))
}

function addFileOptions(command: Command): Command {
  return command
    .requiredOption('-f, --file <file...>', 'YAML files, combined; "-": standard input')
    .option(
      '--prune',
      'remove clients, webhooks, API keys and hosts that are not in the files, for sites with that section',
    )
    .option('--update-secrets', 'send secrets that are already stored, because they cannot be compared')
}
