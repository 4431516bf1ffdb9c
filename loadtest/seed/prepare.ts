import { setTimeout as delay } from 'node:timers/promises'
import { SetupError } from '#local'
import { seedDemo } from '../../deploy/local/demo.ts'
import type { LoadTestStack } from '../toolkit/stack/start.ts'
import type { LoginSite, Prepared, PreparedSite } from './prepared.ts'
import { seedUsers } from './seed-users.ts'
import { issueKeys } from './sites.ts'

const knownDeadlineMs = 60_000
/** Enough connections to reach every gateway through the round-robin balancer. */
const consecutiveChecks = 12

interface NeededSites {
  /** Sites with keys, and their users. */
  readonly sites: number
  readonly users: number
  /** Whether a site for logins is needed. */
  readonly logs_in: boolean
  /** The rate limit of each site, if it is not the usual one. */
  readonly requests_per_window?: number
}

/** Creates the sites that a scenario needs. Each scenario has its own, so that none starts in another's rate limit window. */
export async function prepare(
  { wiring, secrets }: LoadTestStack,
  { sites, users, logs_in, requests_per_window }: NeededSites,
  print: (line: string) => void,
): Promise<Prepared> {
  const { web_api, auth } = wiring.addresses
  const siteToLogInAt = logs_in ? loginSite(await seedDemo(wiring, secrets)) : null
  const databaseUrl = wiring.database_urls.get('identity')
  if (databaseUrl === undefined) throw new Error('identity has a database')
  // One more for the check below, so that the other sites' windows start with the script's first request.
  const numbers = await seedUsers({
    database_url: databaseUrl,
    sites: sites + 1,
    users,
    ...(requests_per_window !== undefined && { requests_per_window }),
    say: print,
  })
  const [knownBy, ...seeded] = (await issueKeys(databaseUrl, numbers)).toReversed()
  if (knownBy !== undefined) await gatewaysKnow(web_api, knownBy)
  return { web_api, auth, sites: seeded, login_site: siteToLogInAt }
}

function loginSite([{ api_key, clients, providers }]: Awaited<ReturnType<typeof seedDemo>>): LoginSite {
  const [{ client_id, client_secret, redirect_uris }] = clients
  const [redirectUri = ''] = redirect_uris
  const authorize = Object.fromEntries(Object.entries(providers).map(([name, provider]) => [name, provider.authorize]))
  return { api_key, client: { client_id, client_secret, redirect_uri: redirectUri, authorize } }
}

/** Gateways find keys that were not issued over the bus at their next periodic read. */
async function gatewaysKnow(webApi: string, { api_key }: PreparedSite): Promise<void> {
  const headers = { authorization: `Bearer ${api_key}`, connection: 'close' }
  let known = 0
  for (const until = Date.now() + knownDeadlineMs; known < consecutiveChecks; await delay(20)) {
    if (Date.now() > until) throw new SetupError('The gateways did not receive the created sites in time.')
    const { status } = await fetch(`${webApi}/api/appinfo`, { headers })
    known = status === 401 ? 0 : known + 1
  }
}
