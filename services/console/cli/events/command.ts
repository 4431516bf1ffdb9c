import { type Command, Option } from 'commander'
import type { Io } from '../io.ts'
import { addSiteOptions } from '../site-options.ts'
import type { FollowOptions, ForwardOptions } from './follow.ts'

/** Adds `events tail`. Its code is loaded when it runs. */
export function addEventsTail(events: Command, io: Io): void {
  const command = addSiteOptions(events.command('tail'))
    .description('Print events as they happen, until Ctrl-C; with -o json one JSON object for each line.')
    .option('--type <type>', 'only events of this type, e.g. user.created')
    .option('--from-start', 'begin with the oldest stored event')
    .option('--limit <number>', 'end after so many events')
  command.action(async () => {
    const { tailEvents } = await import('./follow.ts')
    await tailEvents(command.optsWithGlobals<FollowOptions>(), io)
  })
}

/** Adds `listen`. Its code is loaded when it runs. */
export function addListen(program: Command, io: Io): void {
  const command = addSiteOptions(program.command('listen'))
    .description(
      'Send events to a program on your machine as a webhook does, until Ctrl-C. Nothing needs to be public.',
    )
    .requiredOption('--forward <url>', 'address of your program, e.g. http://localhost:3000/events; required')
    .option('--type <type>', 'only events of this type, e.g. user.created')
    .option('--from-start', 'begin with the oldest stored event')
    .option('--limit <number>', 'end after so many events')
    .addOption(new Option('--secret-file <file>', 'sign with the secret in this file instead of a new one'))
  command.action(async () => {
    const { listen } = await import('./follow.ts')
    await listen(command.optsWithGlobals<ForwardOptions>(), io)
  })
}
