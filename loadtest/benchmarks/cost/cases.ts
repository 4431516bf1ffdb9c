import { z } from 'zod'
import type { PreparedSite } from '../../seed/prepared.ts'
import { authorizeFrom, type LoginRunner } from './login.ts'

/** One kind of operation to measure. */
export interface CostCase {
  readonly title: string
  /** Number of runs per measurement. */
  readonly times: number
  /** Prepared before the measurement, one per run. */
  readonly beforehand?: (site: PreparedSite) => Promise<string>
  readonly once: (site: PreparedSite, n: number, created: string | undefined) => Promise<unknown>
}

export interface CallWebApi extends LoginRunner {
  /** Calls the Web API and returns the body; throws for an error response. */
  readonly callWebApi: (
    site: PreparedSite,
    operation: string,
    parameters?: Readonly<Record<string, string>>,
  ) => Promise<unknown>
}

const Created = z.object({ user: z.object({ identifier: z.string() }) })

const identifierOf = (site: PreparedSite, n: number) => site.identifiers[n % site.identifiers.length] ?? ''

/** The operations of customers' servers, in the ratio of the scenario `many_keys`. */
export const operationMix: readonly string[] = [
  ...Array<string>(8).fill('user_attribute'),
  ...Array<string>(5).fill('profile'),
  ...Array<string>(2).fill('providers_of_user'),
  ...Array<string>(2).fill('map'),
  'users',
  'create_user',
  'appinfo',
]

export function createCases({ callWebApi, auth, login_site }: CallWebApi): readonly CostCase[] {
  const calls = 2_000
  const aboutUser = (operation: string): CostCase => ({
    title: `\`${operation}\``,
    times: calls,
    once: (site, n) => callWebApi(site, operation, { identifier: identifierOf(site, n) }),
  })
  const mapping = (site: PreparedSite, n: number) =>
    callWebApi(site, 'map', {
      identifier: identifierOf(site, n),
      primary_key: `p-${identifierOf(site, n)}`,
      overwrite: 'true',
    })
  const creating = async (site: PreparedSite) => {
    const body = await callWebApi(site, 'create_user')
    return Created.parse(body).user.identifier
  }
  const askOfMix = (site: PreparedSite, n: number) => {
    const operation = operationMix[(n * 7) % operationMix.length] ?? 'appinfo'
    if (operation === 'map') return mapping(site, n)
    if (operation === 'users') return callWebApi(site, operation, { limit: '20' })
    if (['appinfo', 'create_user'].includes(operation)) return callWebApi(site, operation)
    return callWebApi(site, operation, { identifier: identifierOf(site, n) })
  }
  return [
    { title: '`appinfo`: calls no service', times: calls, once: (site) => callWebApi(site, 'appinfo') },
    aboutUser('user_attribute'),
    aboutUser('profile'),
    aboutUser('providers_of_user'),
    { title: '`users`, 100 of them', times: calls, once: (site) => callWebApi(site, 'users', { limit: '100' }) },
    { title: '`map`', times: calls, once: mapping },
    { title: '`create_user`', times: calls, once: creating },
    {
      title: '`delete_user`',
      times: 500,
      beforehand: creating,
      once: (site, _, created) => callWebApi(site, 'delete_user', { identifier: created ?? '' }),
    },
    { title: 'the mix of `many_keys`', times: calls, once: askOfMix },
    { title: 'a login, with its tokens', times: 200, once: (_, n) => authorizeFrom({ auth, login_site }, n) },
  ]
}
