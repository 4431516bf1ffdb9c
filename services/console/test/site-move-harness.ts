import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { openForTest, type SeededSite, type ServiceStack, waitFor } from '#testing'
import { insertToken } from '../store/tokens.ts'
import type { Managed } from './managed.ts'

export type ManagedCell = Managed<ServiceStack>

/** A move of a site, and how far it is. */
export interface StartedMove {
  readonly act: (path: 'commit' | 'roll-back') => Promise<number>
  readonly waitFor: (state: string) => Promise<unknown>
}

export function pathOfMove({ account, site_id }: SeededSite): string {
  return `/accounts/${account}/sites/${site_id}/move`
}

/** Issues an operator token in a cell. */
export async function issueMoveToken({ knex }: Pick<ManagedCell, 'knex'>): Promise<string> {
  const now = new Date()
  const expires = { expires_at: new Date(now.getTime() + 3_600_000), now }
  const { token } = await insertToken(knex, { account: null, role: null, name: 'move', ...expires })
  return token
}

/** Requests a move, and returns the response of the Admin API. */
export async function requestMove(source: ManagedCell, target: ManagedCell, site: SeededSite) {
  const token = await issueMoveToken(target)
  return source.operator('POST', pathOfMove(site), {
    target_url: target.serviceStack.console.url,
    target_token: token,
    web_api_url: new URL(target.serviceStack.web_api).origin,
    auth_url: target.serviceStack.auth,
  })
}

export async function startMove(source: ManagedCell, target: ManagedCell, site: SeededSite): Promise<StartedMove> {
  const path = pathOfMove(site)
  const started = await requestMove(source, target, site)
  expect(started).toMatchObject({ status: 200, body: { move: { state: 'copying' } } })
  return {
    act: async (action) => (await source.operator('POST', `${path}/${action}`)).status,
    waitFor: (state) =>
      waitFor(
        async () => {
          const { body } = await source.operator('GET', path)
          expect(body).toMatchObject({ move: { state } })
          return body
        },
        { interval: 100 },
      ),
  }
}

/** Sends a request of the Web API. */
export async function requestApi(
  { serviceStack }: ManagedCell,
  { api_key }: SeededSite,
  operation: string,
  parameters: Readonly<Record<string, string>> = {},
) {
  const form = new URLSearchParams({ ...parameters, key: api_key })
  const response = await fetch(`${serviceStack.web_api}/${operation}?${form}`)
  const body: unknown = await response.json()
  return { status: response.status, retry_after: response.headers.get('retry-after'), body }
}

export async function findServing(
  { serviceStack: { identity, call } }: Managed,
  { account, site_id }: Pick<SeededSite, 'account' | 'site_id'>,
) {
  return identity.readSiteServing({ account, site_id }, call())
}

/**
 * In which of the cells each service would accept changes of the site. A site that arrives has no rows in a service before it was
 * frozen there for the first time.
 */
export async function listWritable(cells: readonly ManagedCell[], site: SeededSite): Promise<string[]> {
  const writable: string[] = []
  for (const [place, cell] of cells.entries()) {
    const { identity, provider_auth, profile, friendship, events, call, database_urls } = cell.serviceStack
    const serving = await findServing(cell, site).catch(() => undefined)
    if (serving === undefined) continue
    const key = { site: serving.site }
    for (const [name, service] of Object.entries({ identity, provider_auth, profile, friendship, events })) {
      const { frozen } = await service.isSiteFrozen(key, call())
      await using database = openForTest(Reflect.get(database_urls, name))
      const claim: unknown = await database.knex('frozen_sites').where(key).first('claim')
      if (!frozen && (claim !== undefined || serving.serving === 'here')) writable.push(`${name} ${place}`)
    }
  }
  return writable
}

/** The events of a site, in their order. */
export async function listAllEvents({ serviceStack: { events, call } }: ManagedCell, site: number) {
  const first = await events.listEvents({ site, limit: 500 }, call())
  const all = [...first.events]
  for (let page = first; page.more; ) {
    page = await events.listEvents({ site, after: page.next, limit: 500 }, call())
    all.push(...page.events)
  }
  return all
}

/**
 * What a user can read of a site, without what differs between cells: numbers of sites, and what is encrypted. Also without events and
 * their deliveries, which continue in the cell that serves the site.
 */
export async function readUserData({ serviceStack }: ManagedCell, site: number, identifiers: readonly string[]) {
  const { identity, provider_auth, profile, events, friendship, call } = serviceStack
  const { users } = await identity.readLinkedUsers({ site, identifiers: [...identifiers] }, call())
  const linkIds = users.flatMap(({ links }) => links.map(({ link_id }) => link_id))
  const { account, site_id, ...settings } = await readSettings(serviceStack, site)
  const { endpoints } = await events.listEndpoints({ site }, call())
  return {
    users,
    settings,
    names: `${account}/${site_id}`,
    metadata: await identity.readMetadataOfUsers({ site, identifiers: [...identifiers] }, call()),
    profiles: await profile.readStoredProfiles({ site, identifiers: [...identifiers] }, call()),
    tokens: await provider_auth.exportCredentials({ site, link_ids: linkIds }, call()),
    providers: await readProviders(serviceStack, site),
    clients: await provider_auth.listClients({ site }, call()),
    statuses: await friendship.readStatuses({ site, link_ids: linkIds }, call()),
    endpoints: endpoints.map(({ backlog: _, ...endpoint }) => endpoint),
  }
}

async function readSettings({ database_urls }: ServiceStack, site: number) {
  await using database = openForTest(database_urls.identity)
  const {
    revision: _,
    site: __,
    serving: ___,
    moved_to: ____,
    serving_order: _____,
    ...row
  } = await database.knex('sites').where({ site }).first()
  return row
}

async function readProviders({ provider_auth, call }: ServiceStack, site: number) {
  const { providers } = await provider_auth.listProviderSettings({ site }, call())
  return providers.map((one) =>
    createHash('sha256')
      .update(JSON.stringify(Object.keys(one)))
      .digest('hex'),
  ).length
}
