import { relative } from 'node:path'
import { styleText } from 'node:util'
import type { ConsoleAccess } from './console.ts'
import type { DemoSite } from './demo.ts'
import type { Places } from './places.ts'
import type { Wiring } from './wiring.ts'

/** What a person reads when everything is ready. */
export function welcome(
  { addresses }: Wiring,
  { site, console_sign_in }: Pick<ConsoleAccess, 'console_sign_in'> & { readonly site: DemoSite },
  places: Places,
): string {
  const rows = [
    ['Demo shop', addresses.shop, 'log in here, as a customer of the shop would'],
    ['Web API', `${addresses.web_api}/api`, "for customers' servers"],
    ['Authorization', addresses.auth, 'OpenID Provider'],
    ['Console', addresses.console, 'sites, providers, users: sign in by the link below'],
    ['Simulator', addresses.simulator, 'stands in for the login providers'],
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
    '  Sign in to the console (once; the next start makes another link):',
    `  ${styleText('cyan', console_sign_in)}`,
    '',
    '  Try:',
    `  curl '${addresses.web_api}/api/appinfo?key=${site.api_key}'`,
    '',
    `  Addresses and keys for scripts are in ${near(places.environment)}, logs in ${near(places.logs)}.`,
    '  Ctrl-C stops everything; the next start finds the data again.',
    '',
  ].join('\n')
}
