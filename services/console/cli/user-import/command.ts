import { Argument, type Command, Option } from 'commander'
import type { Io } from '../io.ts'
import type { ImportOptions } from './import-files.ts'

/** Adds `users import`. Its code is loaded when it runs. */
export function addUserImport(users: Command, io: Io): void {
  const command = users
    .command('import')
    .description('Import users from files, or check them with --dry-run. Shows progress, and can be continued.')
    .addArgument(
      new Argument(
        '<file...>',
        'user records, a spreadsheet as CSV or a file of another system; also as gzip; - for standard input',
      ),
    )
    .requiredOption('--account <text>', 'short name of the account, e.g. demo; required')
    .requiredOption('--site-id <text>', 'short name of the site within its account, e.g. shop; required')
    .addOption(
      new Option('--format <format>', 'format of the files; recognized by their content without it').choices([
        'ndjson',
        'csv',
        'auth0',
        'cognito',
        'firebase',
        'keycloak',
        'sap',
      ]),
    )
    .addOption(
      new Option(
        '--conflict <rule>',
        'for users who exist: fail rejects the line, skip ignores it, merge adds to the user, replace replaces their data',
      )
        .choices(['fail', 'skip', 'merge', 'replace'])
        .default('fail'),
    )
    .option('--provider <name=provider...>', 'our provider for a name in the file, e.g. my-google=search')
    .addOption(
      new Option(
        '--blocked <rule>',
        'for users who are blocked in the other system: reject them, or import them as blocked users',
      )
        .choices(['reject', 'import'])
        .default('reject'),
    )
    .option('--strict', 'reject users if an account of an unknown provider would be omitted')
    .option('--realm <name>', 'realm whose users are imported, of a Keycloak file with several')
    .option('--dry-run', 'check the file without changing anything')
    .option('--report <file>', 'write the rejected lines with field and reason to this new CSV file')
    .option('--resume <import-id>', 'continue an interrupted import of the same file with the same options')
    .option('--yes', 'skip the confirmation; without a terminal, there is none')
    .addHelpText('after', '\nRequired role: owner. Exit code 10: some lines were rejected.')
  command.action(async (files: readonly string[]) => {
    const { importFiles } = await import('./import-files.ts')
    await importFiles(files, command.optsWithGlobals<ImportOptions>(), io)
  })
}
