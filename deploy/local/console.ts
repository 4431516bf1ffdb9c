import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LocalFailure } from '#local'
import { root } from './settings.ts'
import type { Wiring } from './wiring.ts'

const run = promisify(execFile)

/** A link that signs the person at this machine in to the console, once. */
export async function inviteToConsole({ database_urls, addresses }: Wiring): Promise<string> {
  const script = join(root, 'services/console/invite-operator.ts')
  try {
    const { stdout } = await run(process.execPath, [script, '--name', 'Operator', '--sign-in'], {
      env: { PATH: process.env.PATH, DATABASE_URL: database_urls.get('console'), CONSOLE_URL: addresses.console },
    })
    const [link = ''] = stdout.split('\n', 1)
    return link
  } catch (cause) {
    throw new LocalFailure('No sign-in link for the console could be made.', { cause })
  }
}
