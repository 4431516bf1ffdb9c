import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from '#local'
import type { RunningCommands } from './shell.ts'

const pollMs = 100
const deadlineMs = 30_000

/**
 * Sends an event as the page says, and waits until the application has printed it with the identifier of the user.
 *
 * @returns the identifier
 */
export async function receiveEvent(running: RunningCommands, sendEvent: () => Promise<string>): Promise<string> {
  const [, identifier = ''] = /"identifier":\s*"([^"]+)"/.exec(await sendEvent()) ?? []
  const line = new RegExp(`user\\.created ${identifier}$`, 'm')
  for (const until = performance.now() + deadlineMs; performance.now() < until; await sleep(pollMs))
    if (identifier !== '' && line.test(running.output())) return identifier
  throw new SetupError(`The application did not print "user.created ${identifier}".`)
}
