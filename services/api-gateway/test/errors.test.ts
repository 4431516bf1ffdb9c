import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type FaultName, providerNames } from '#contracts'
import { openForTest, runsAsOneProcess, seedSite, waitFor } from '#testing'
import { listErrors, type OperationError } from '../description/operation-errors.ts'
import { type OperationDescription, resourcesOf } from '../operation.ts'
import { operations } from '../operations/index.ts'
import { type ApiResponse, createCaller, errorEnvelope, sendRequest, type WebApiCaller } from './caller.ts'
import { sendRawRequest } from './raw-request.ts'
import { createTestUser, logInAs, setOwnStage } from './stage.ts'

/** Provokes every error of every operation over HTTP. Fails for an error without a test case. */
const stage = setOwnStage({ gatewayEnvironment: { STATIC_BASE_URL: 'https://static.example.com' } })
const names = providerNames()

type Provoke = (operation: OperationDescription) => Promise<Pick<ApiResponse, 'body'> & { status: number | undefined }>

const resourceOf = (operation: OperationDescription) => resourcesOf(operation, names)[0]
/** A valid request, except that its user and token do not exist. */
const usual = (operation: OperationDescription) => operation.example(names).query
const by = (
  caller: () => WebApiCaller,
  more: readonly (readonly [string, string])[] = [],
  init?: RequestInit,
): Provoke => {
  return (operation) => caller().get(resourceOf(operation), [...Object.entries(usual(operation)), ...more], init)
}
const site = () => stage.web_api

const sites: Record<'restricted' | 'used_up', WebApiCaller | undefined> = { restricted: undefined, used_up: undefined }
const known = (name: keyof typeof sites) => () => {
  const caller = sites[name]
  if (caller === undefined) throw new Error('The site is not set up yet.')
  return caller
}

beforeAll(async () => {
  const { identity, call, web_api } = stage.serviceStack
  const changed = async (changes: object) => {
    const { site, api_key } = await seedSite(stage.serviceStack)
    await identity.changeSite({ site, ...changes }, call())
    return createCaller(web_api, api_key)
  }
  sites.restricted = await changed({ allowed_addresses: ['192.0.2.7'] })
  sites.used_up = await changed({ requests_per_window: 1 })
  const { restricted, used_up } = sites
  await waitFor(async () => expect(await restricted.get('appinfo')).toMatchObject({ status: 403 }))
  await waitFor(async () => expect(await used_up.get('appinfo')).toMatchObject({ status: 429 }))
})

/** Errors that are common to all operations, or to all with such parameters. */
const general: Partial<Record<FaultName, Provoke>> = {
  invalid_api_key: (operation) => sendRequest(`${stage.serviceStack.web_api}/${resourceOf(operation)}`),
  address_not_allowed: by(known('restricted')),
  option_contract_needed: (operation) =>
    sendRawRequest(stage.serviceStack.web_api, {
      path: `/api/${resourceOf(operation)}?key=${stage.site.api_key}`,
      headers: { host: 'static.example.com' },
    }),
  too_many_requests: async (operation) => {
    const response = await by(known('used_up'))(operation)
    // Otherwise it was the first request of a new window.
    return response.status === 429 ? response : by(known('used_up'))(operation)
  },
  server_call_only: (operation) => {
    const flag = typeof operation.writes === 'string' ? ([[operation.writes, 'y']] as const) : []
    return by(site, flag, { headers: { 'sec-purpose': 'prefetch' } })(operation)
  },
  required_parameter_missing: (operation) => site().get(resourceOf(operation)),
  invalid_parameter: by(site, [
    ['whatever', '1'],
    ['whatever', '2'],
  ]),
  entity_not_found: by(site),
  body_not_a_form: (operation) =>
    site().post(resourceOf(operation), [], { body: '{}', headers: { 'content-type': 'application/json' } }),
}

/** Errors of single operations. */
const own: Record<string, Provoke> = {
  'create_user duplicated_primary_key': async () => {
    await createTestUser(site(), { primary_key: 'errors-1' })
    return site().get('create_user', { primary_key: 'errors-1' })
  },
  'create_user entity_not_found': async () => {
    const create = () => site().get('create_user', {}, { headers: { 'idempotency-key': 'errors' } })
    const { body } = await create()
    const { identifier } = z.object({ user: z.object({ identifier: z.string() }) }).parse(body).user
    await site().get('delete_user', { identifier })
    return create()
  },
  'map duplicated_primary_key': async () => {
    await createTestUser(site(), { primary_key: 'errors-2' })
    return site().get('map', { identifier: await createTestUser(site()), primary_key: 'errors-2' })
  },
  'map already_mapped': async () => {
    const identifier = await createTestUser(site(), { primary_key: 'errors-3' })
    return site().get('map', { identifier, primary_key: 'errors-4' })
  },
  'dissociate provider_not_linked': async () =>
    site().get('dissociate', { identifier: await createTestUser(site()), target_provider: 'search' }),
  'dissociate last_provider': async () => {
    const identifier = await createTestUser(site(), { 'provider_user_ids[search]': 'errors-5' })
    return site().get('dissociate', { identifier, target_provider: 'search' })
  },
  'friendship_status provider_not_linked': async () =>
    site().get('line/friendship_status', { identifier: await createTestUser(site()) }),
  'friendship_status provider_settings_incomplete': async () => {
    const other = await seedSite(stage.serviceStack)
    const identifier = await logInAs({ ...stage, site: other }, 'Hanako Yamada')
    const { site, account, site_id } = other
    const { client_id, client_secret } = other.providers.messaging
    const settings = { site, account, site_id, provider: 'messaging', client_id, client_secret } as const
    const { provider_auth, call, web_api } = stage.serviceStack
    await provider_auth.saveProviderSettings({ ...settings, official_account: false }, call())
    return createCaller(web_api, other.api_key).get('line/friendship_status', { identifier })
  },
  'association_token provider_settings_incomplete': async () =>
    site().get('association_token', { identifier: await createTestUser(site()), target_provider: 'shopping' }),
  'association_token provider_already_linked': async () => {
    const identifier = await createTestUser(site(), { 'provider_user_ids[search]': 'errors-6' })
    return site().get('association_token', { identifier, target_provider: 'search' })
  },
  'authenticated_user invalid_authentication_token': by(site),
  'update_metadata changed_meanwhile': async () =>
    site().get('update_metadata', { identifier: await createTestUser(site()), app_metadata: '{}', revision: '5' }),
  'update_metadata metadata_too_large': async () => {
    const metadata = JSON.stringify({ text: 'x'.repeat(8_192) })
    return site().get('update_metadata', { identifier: await createTestUser(site()), app_metadata: metadata })
  },
  'update_metadata metadata_invalid': async () => {
    const { identity, call } = stage.serviceStack
    const { site: number } = stage.site
    const schema = { required: ['plan'] }
    await identity.changeMetadataSchemas({ site: number, expected_revision: 0, app_metadata_schema: schema }, call())
    const identifier = await createTestUser(site())
    const response = await site().get('update_metadata', { identifier, app_metadata: '{"a":1}' })
    await identity.changeMetadataSchemas({ site: number, expected_revision: 1, app_metadata_schema: null }, call())
    expect(response.body).toMatchObject({
      error: { reason: 'schema_violated', parameter: 'app_metadata', place: '/plan', rule: 'required' },
    })
    return response
  },
  'events events_deleted': () => site().get('events', { after: `1-${randomUUID()}` }),
}

/** Errors that require a broken or unavailable service. `appinfo` calls none; app.test.ts tests it with an old table of keys. */
const broken = new Set<FaultName>(['operation_failed', 'unavailable'])
const askingParts = operations.filter(({ name }) => name !== 'appinfo')

const rows = operations.flatMap((operation) =>
  listErrors(operation)
    .filter(({ fault }) => !broken.has(fault))
    .map((error) => ({ ...error, name: operation.name, operation })),
)

test.each(rows)('$status/$code at $name: $fault', async ({ operation, ...error }) => {
  const provoke = own[`${operation.name} ${error.fault}`] ?? general[error.fault]
  if (provoke === undefined) throw new Error('There is no test case for this error.')
  expect(await provoke(operation)).toMatchObject(envelopeOf(error))
})

describe('if a service has an unexpected error', () => {
  const renameTables = async (rename: (table: string) => string) => {
    for (const url of Object.values(stage.serviceStack.database_urls)) {
      await using database = openForTest(url)
      const tables = await database.knex('pg_tables').where({ schemaname: 'public' }).pluck('tablename')
      for (const table of tables) await database.knex.schema.renameTable(table, rename(table))
    }
  }
  beforeAll(() => renameTables((table) => `${table}_broken`))
  afterAll(() => renameTables((table) => table.replace(/_broken$/, '')))

  test.each(askingParts)('500/3 at $name', async (operation) => {
    expect(await by(site)(operation)).toMatchObject(errorEnvelope(500, 3, 'Operation failed.'))
  })
})

// In one process, services need no NATS for each other.
describe.skipIf(runsAsOneProcess)('while a service is unavailable', () => {
  beforeAll(() => stage.serviceStack.nats.stop())
  afterAll(() => stage.serviceStack.nats.start())

  test.concurrent.each(askingParts)('503/1003 at $name, with Retry-After', async (operation) => {
    const response = await site().get(resourceOf(operation), usual(operation))
    expect(response).toMatchObject(errorEnvelope(503, 1_003, 'Service temporarily unavailable.'))
    expect(response.headers.get('retry-after')).toBe('2')
  })
})

function envelopeOf({ status, code, message }: OperationError) {
  return errorEnvelope(status, code, message)
}
