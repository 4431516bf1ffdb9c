import { Argument, type Command } from 'commander'
import type { Io } from '../io.ts'

/** Adds `verify-receipt`. Its code is loaded when it runs. */
export function addVerifyReceipt(program: Command, io: Io): void {
  const command = program
    .command('verify-receipt')
    .description('Verify the receipt of a deletion, without a connection, and print what it says.')
    .addArgument(new Argument('<file>', 'the receipt, or the JSON of "users erasure-receipt"'))
    .requiredOption('--jwks <file>', 'the keys of the OpenID Provider, from its /oauth2/jwks; required')
    .option('--issuer <url>', 'the issuer that must have signed it: the address of the OpenID Provider')
  command.action(async (file: string) => {
    const { verifyReceipt } = await import('./verify.ts')
    await verifyReceipt(file, command.optsWithGlobals(), io)
  })
}
