import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LocalFailure } from '#local'
import { root } from './settings.ts'
import type { Wiring } from './wiring.ts'

const run = promisify(execFile)

/** How the person at this machine, and their scripts, come in to the console. */
export interface ConsoleAccess {
  /** Signs in once. */
  readonly console_sign_in: string
  /** May do everything, by Admin API and command line, for a day. */
  readonly console_token: string
}

export async function openConsole(wiring: Wiring): Promise<ConsoleAccess> {
  const [consoleSignIn, consoleToken] = await Promise.all([
    firstLine('invite-operator.ts', ['--name', 'Operator', '--sign-in'], wiring),
    firstLine('issue-operator-token.ts', ['--name', 'npm start', '--days', '1'], wiring),
  ])
  return { console_sign_in: consoleSignIn, console_token: consoleToken }
}

/** What the console's command of an operator prints. */
async function firstLine(script: string, given: string[], { database_urls, addresses }: Wiring): Promise<string> {
  try {
    const { stdout } = await run(process.execPath, [join(root, 'services/console', script), ...given], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        DATABASE_URL: database_urls.get('console'),
        CONSOLE_URL: addresses.console,
      },
    })
    const [line = ''] = stdout.split('\n', 1)
    return line
  } catch (cause) {
    throw new LocalFailure('Nobody could be let in to the console. Its log may say why.', { cause })
  }
}
