import type { Command } from 'commander'
import type { Io } from '../io.ts'
import { addSiteOptions } from '../site-options.ts'
import type { TailOptions } from './tail.ts'

/** Adds `logins tail`. Its code is loaded when it runs. */
export function addLoginsTail(logins: Command, io: Io): void {
  const command = addSiteOptions(logins.command('tail'))
    .description('Print logins as they end, until Ctrl-C; with -o json one JSON object for each line.')
    .option('--provider <text>', 'only logins with this provider')
    .option('--client-id <text>', 'only logins of this client')
    .option('--result <text>', 'only logins with this result, e.g. failed')
    .option('--reason <text>', 'only logins with this reason, e.g. denied_by_user')
    .option('--identifier <text>', 'only logins of this user')
    .option('--from-start', 'begin with the oldest stored login')
    .option('--limit <number>', 'end after so many logins')
  command.action(async () => {
    const { tailLogins } = await import('./tail.ts')
    await tailLogins(command.optsWithGlobals<TailOptions>(), io)
  })
}
