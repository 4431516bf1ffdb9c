import { Look } from '#admin-api'
import type { Actual, ActualSite } from '../domain/actual.ts'
import { Desired } from '../domain/desired.ts'
import { createPlan } from '../domain/plan.ts'
import type { Plan, PlanOptions } from '../domain/step.ts'

export const createdAt = '2026-01-01T00:00:00Z'

export const settings: ActualSite['settings'] = {
  account: 'demo',
  site_id: 'shop',
  name: 'Shop',
  kind: 'production',
  domains: ['a.example', 'b.example'],
  requests_per_window: 10_000,
  allowed_addresses: [],
  fixed_address_option: false,
  profile_not_stored: { messaging: ['gender'] },
  login_history_days: null,
  start_url: null,
  profile_in_events: false,
  users_may_be_stale: false,
  provider_order: [],
  provider_names: {},
  compatibility: [],
  created_at: createdAt,
  revision: 7,
}

export const client: ActualSite['clients'][number] = {
  client_id: 'c1',
  kind: 'confidential',
  name: 'Web',
  redirect_uris: ['https://a.example/cb', 'https://b.example/cb'],
  post_logout_redirect_uris: [],
  callback_by_domain: false,
  token_exchange: false,
  metadata_claims: [],
  consents_claim: false,
  user_metadata_write: false,
  response_types: ['code', 'id_token'],
  pkce: 'optional',
  id_token_alg: 'RS256',
  secrets: [],
  created_at: createdAt,
  revision: 3,
}

export const messaging: ActualSite['providers'][number] = {
  provider: 'messaging',
  definition: null,
  endpoints: null,
  login_provider_identifier: 'lp1',
  client_id: '123',
  has_client_secret: true,
  options: { webhook_secret: true, disable_auto_login: 'never' },
  official_account: true,
  enabled: true,
  client_secret_expires_at: '2027-01-01T00:00:00Z',
  missing: [],
  provider_callback: 'https://auth.example/callback',
  other_callbacks: [],
  logout_return_uri: null,
  webhook_uris: {},
  authorize_uri: null,
  revision: 5,
}

export const key: ActualSite['keys'][number] = {
  api_key_id: '00000000-0000-4000-8000-000000000001',
  name: 'backend',
  last_four: 'abcd',
  brought_along: false,
  created_at: createdAt,
  revoked_at: null,
  last_used_at: null,
  calls_last_hour: 12,
  share_last_hour: 1,
  callers_last_hour: [],
}

export const hosts: ActualSite['hosts'] = {
  hosts: [],
  pattern_host: null,
  shared_host: true,
  issuers: [],
  uses: [],
  revision: 6,
}

/** A look that was never changed. */
export const look: ActualSite['look'] = {
  draft: Look.parse({ theme: {}, words: {} }),
  published: null,
  changed: false,
  published_version: null,
  versions: [],
  revision: 0,
}

export const sections: ActualSite['sections'] = {
  account_page: { enabled: false, deletion_waiting_days: null, addresses: ['https://auth/account'], revision: 0 },
  terms: { documents: [], revision: 0 },
  user_search: { fields: [], indexing: null, revision: 0 },
  inactivity_rule: { delete_after_days: null, notice_days: 30, include_mapped: false, revision: 0 },
  metadata_schemas: { user_metadata_schema: null, app_metadata_schema: null, revision: 0 },
  metadata_search: { paths: [], indexing: null, revision: 0 },
}

/** The actual state of one site, with these differences from the usual one. */
export function actual(site: Partial<ActualSite> = {}): Actual {
  const there: ActualSite = {
    settings,
    clients: [client],
    providers: [messaging],
    keys: [key],
    webhooks: [],
    hosts,
    look,
    sections,
    pictures: new Map(),
    ...site,
  }
  const account = { account: 'demo', name: 'Demo', created_at: createdAt, revision: 2 }
  return new Map([['demo', { account, sites: new Map([['shop', there]]) }]])
}

export const usual: PlanOptions = { prune: false, update_secrets: false }

/** Creates the plan for one site from its part of a file. */
export function planFor(site: unknown, there: Actual = actual(), options: Partial<PlanOptions> = {}): Plan {
  const desired = Desired.parse({ accounts: { demo: { name: 'Demo', sites: { shop: site } } } })
  return createPlan(desired, there, { ...usual, ...options })
}
