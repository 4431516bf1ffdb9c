import { relative } from 'node:path'
import { styleText } from 'node:util'
import type { ConsoleAccess } from './console-access.ts'
import type { DemoSite } from './demo.ts'
import type { Paths } from './paths.ts'
import type { Wiring } from './wiring.ts'

/** The text that `npm start` prints when everything is ready. */
export function formatWelcome(
  { addresses }: Wiring,
  { site, console_sign_in }: Pick<ConsoleAccess, 'console_sign_in'> & { readonly site: DemoSite },
  paths: Paths,
): string {
  const rows = [
    ['Demo shop', addresses.shop, 'an example application: log in here'],
    ['Web API', `${addresses.web_api}/api`, "for customers' servers"],
    ['Authorization', addresses.auth, 'OpenID Provider'],
    ['Console', addresses.console, 'sites, providers, users: sign in by the link below'],
    ['Simulator', addresses.simulator, 'plays the login providers'],
  ] as const
  const table = rows.map(
    ([name, address, what]) => `  ${name.padEnd(15)}${styleText('cyan', address.padEnd(29))}${what}`,
  )
  const near = (path: string) => relative(process.cwd(), path)
  return [
    '',
    styleText('bold', 'Ready.'),
    '',
    ...table,
    '',
    '  Sign in to the console (the link works once; the next start prints another):',
    `  ${styleText('cyan', console_sign_in)}`,
    '',
    '  Try:',
    `  curl '${addresses.web_api}/api/appinfo?key=${site.api_key}'`,
    '',
    `  Addresses and keys for scripts are in ${near(paths.environment)}, logs in ${near(paths.logs)}.`,
    '  Press Ctrl-C to stop. The data is kept for the next start.',
    '',
  ].join('\n')
}
