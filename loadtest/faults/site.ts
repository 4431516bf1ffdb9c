import { Registry } from 'prom-client'
import { type BusClients, connectBus, createClients, newCall } from '#bus'
import type { Provider } from '#contracts'
import { createLogger } from '#runtime'
import { type ConsoleAccess, createConsoleAccess } from '../../deploy/local/console-access.ts'
import { type DemoSite, seedDemo } from '../../deploy/local/demo.ts'
import { busInterface } from '../../services/provider-auth/bus.ts'
import { type AdminApi, openAdminApi } from './admin-api.ts'
import type { Databases, FaultStack } from './stack.ts'

/** A site of the stack, and how cases prepare its users. */
export interface FaultSite extends AsyncDisposable {
  readonly site: number
  readonly demo: DemoSite
  /** Another site of the same account, whose settings cases may change for all its users. */
  readonly other: DemoSite
  readonly web_api: string
  readonly auth: string
  readonly simulator: string
  readonly console: string
  /** Creates a user with provider data, credentials and a friendship status. Returns the identifier. */
  readonly createUser: (user: { readonly primary_key?: string; readonly links: readonly NewLink[] }) => Promise<string>
  readonly access: ConsoleAccess
  /** The Admin API of the demo's account. */
  readonly admin: AdminApi
  /** Makes the access tokens of a user expire. */
  readonly expireTokens: (identifier: string) => Promise<void>
  /** Not through the proxies: what a case reads there is none of its points. */
  readonly databases: Databases
}

export interface NewLink {
  readonly provider: Provider
  readonly provider_user_id: string
}

/** So many that no test meets the limit. */
const manyRequests = 1_000_000

export async function openFaultSite(
  stack: Pick<FaultStack, 'wiring' | 'secrets' | 'databases'>,
  requestsPerWindow = manyRequests,
): Promise<FaultSite> {
  const { wiring, secrets, databases } = stack
  const [demo, other] = await seedDemo(wiring, secrets)
  // The new revision makes running gateways read the new limit. Citus does not change both tables in one statement.
  const [row] = await databases.identity.transaction(async (trx) => {
    const [revisions]: { newest: string }[] = await trx('site_revisions')
      .update({ newest: trx.raw('newest + 1') })
      .returning('newest')
    const changed: { site: number }[] = await trx('sites')
      .where({ site_id: demo.site_id })
      .update({ requests_per_window: requestsPerWindow, revision: revisions?.newest })
      .returning('site')
    return changed
  })
  if (row === undefined) throw new Error('The site of the demo does not exist.')
  const { site } = row
  const access = await createConsoleAccess(wiring)
  const { name } = busInterface
  // As provider-auth, because it supplies the data of logins.
  const bus = await connectBus(wiring.natsUrlOf(name), { name, logger: createLogger(name, 'silent') })
  const clients: BusClients<typeof busInterface.calls> = createClients(bus, busInterface, new Registry())
  const webApi = `${wiring.addresses.web_api}/api`
  const headers = { authorization: `Bearer ${demo.api_key}` }
  return {
    site,
    demo,
    other,
    access,
    web_api: webApi,
    auth: wiring.addresses.auth,
    console: wiring.addresses.console,
    simulator: wiring.addresses.simulator,
    databases,
    admin: openAdminApi(wiring.addresses.console, demo.account, access.console_token),
    async createUser({ primary_key, links }) {
      const parameters = new URLSearchParams(primary_key === undefined ? {} : { primary_key })
      for (const { provider, provider_user_id } of links)
        parameters.set(`provider_user_ids[${provider}]`, provider_user_id)
      const response = await fetch(`${webApi}/create_user?${parameters}`, { headers })
      const text = await response.text()
      const identifier = /"identifier":"([^"]+)"/.exec(text)?.[1]
      if (identifier === undefined) throw new Error(`create_user returned ${response.status}: ${text}`)
      const stored: { link_id: string; provider: Provider; provider_user_id: string }[] = await databases
        .identity('links')
        .where({ site, identifier })
        .select('link_id', 'provider', 'provider_user_id')
      const recordedAt = new Date()
      for (const { link_id, provider, provider_user_id } of stored) {
        const data = { profile: { full_name: 'Hanako Yamada' }, follow: null, email: [], phone: [] }
        const obtainedAt = recordedAt.toISOString()
        await clients.profile.recordProviderData(
          { site, identifier, link_id, provider, data, obtained_at: obtainedAt },
          newCall(),
        )
        await databases
          .provider_auth('credentials')
          .insert({ link_id, site, provider, provider_user_id, recorded_at: recordedAt })
        await databases
          .friendship('statuses')
          .insert({ site, link_id, friendship_status: true, friendship_status_updated_at: recordedAt })
      }
      return identifier
    },
    async expireTokens(identifier) {
      const links: { link_id: string }[] = await databases
        .identity('links')
        .where({ site, identifier })
        .select('link_id')
      await databases
        .provider_auth('credentials')
        .whereIn(
          'link_id',
          links.map(({ link_id }) => link_id),
        )
        .update({ expires_at: new Date(0) })
    },
    [Symbol.asyncDispose]: () => bus[Symbol.asyncDispose](),
  }
}
