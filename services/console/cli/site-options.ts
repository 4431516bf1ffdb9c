import type { Command } from 'commander'

const options = [
  ['--account <text>', 'short name of the account, e.g. demo; required'],
  ['--site-id <text>', 'short name of the site within its account, e.g. shop; required'],
] as const

/** Adds the options that name a site. */
export function addSiteOptions(command: Command): Command {
  for (const [flags, description] of options) command.requiredOption(flags, description)
  return command
}
