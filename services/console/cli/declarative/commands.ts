import { type Command, Option } from 'commander'
import type { Io } from '../io.ts'

/** Adds the commands for files: `plan`, `diff`, `apply`, `export`, `schema`. Their code is loaded only when they run. */
export function addDeclarative(program: Command, io: Io): void {
  addPlan(program, io)
  addApply(program, io)
  addExport(program, io)
  program
    .command('schema')
    .description('Print the JSON Schema of the files, for editors.')
    .action(async () => (await import('./actions.ts')).printSchema(io))
}

function addPlan(program: Command, io: Io): void {
  const plan = withFiles(program.command('plan'))
    .description('Show what apply would do: created +, changed ~, removed -. Nothing is changed.')
    .option('--exit-code', 'end with 10 if there is something to do')
  plan.action(async () => (await import('./actions.ts')).showPlan(plan.optsWithGlobals(), io))
  const diff = withFiles(program.command('diff')).description(
    'Show the same as plan, and exit with 10 if the console differs from the files.',
  )
  diff.action(async () => (await import('./actions.ts')).showPlan({ ...diff.optsWithGlobals(), exitCode: true }, io))
}

function addApply(program: Command, io: Io): void {
  const command = withFiles(program.command('apply'))
    .description('Make the console as the files want it, after showing what that takes. A second time changes nothing.')
    .option('--yes', 'do not ask before')
    .option('--secrets-out <file>', 'append issued API keys and client secrets to this file, mode 0600, as JSON lines')
    .addOption(
      new Option('--confirm <consequence...>', 'accept these consequences of changed allowed_addresses').choices([
        'block_callers',
        'allow_everybody',
      ]),
    )
    .option('--print-secrets', 'print them instead, as JSON lines')
  command.action(async () => (await import('./actions.ts')).apply(command.optsWithGlobals(), io))
}

function addExport(program: Command, io: Io): void {
  const command = program
    .command('export')
    .description('Print the current state as a file for apply, without secrets; with -o json as JSON.')
    .option('--account <account...>', 'these accounts alone')
    .option('--site-id <site_id...>', 'these sites alone; with one --account')
    .option('--to <file>', 'write to this file instead, which must not exist')
  command.action(async () => (await import('./actions.ts')).exportFile(command.optsWithGlobals(), io))
}

function withFiles(command: Command): Command {
  return command
    .requiredOption('-f, --file <file...>', 'YAML; several are taken together; "-": standard input')
    .option('--prune', 'remove clients and keys that the files do not have, where they have that section')
    .option('--update-secrets', 'send secrets that are already stored, as they cannot be compared')
}
