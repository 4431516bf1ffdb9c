import type { Command } from 'commander'
import type { Io } from '../io.ts'
import type { CompareOptions } from './compare.ts'

/** Adds `compare`. Its code is loaded when it runs. */
export function addCompare(program: Command, io: Io): void {
  const command = program
    .command('compare')
    .description('Send the same requests to two deployments, and show how their responses differ. Changes nothing.')
    .requiredOption('-f, --file <file>', 'YAML file with the two deployments; "-": standard input')
    .addHelpText('after', '\nExit code 10: the responses differ. Values of users are never printed.')
  command.action(async () => {
    const { compareDeployments } = await import('./compare.ts')
    await compareDeployments(command.optsWithGlobals<CompareOptions>(), io)
  })
}
