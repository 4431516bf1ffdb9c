import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Knex } from 'knex'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connectBus } from '#bus'
import { openDatabase, type Reader, transaction } from '#database'
import { createEncryptor, createLogger, keyRing, newToken } from '#runtime'
import { cloneDatabase } from '../../../testing/databases.ts'
import { startTestNats } from '../../../testing/outage.ts'
import type { RegisteredClient } from '../domain/client.ts'
import { openSiteSettings, type SiteSettings } from '../site-settings.ts'
import { deleteClient, insertClient } from '../store/clients.ts'

const logger = createLogger('test', 'silent')
const stack = new AsyncDisposableStack()
let knex: Knex
let first: SiteSettings
let second: SiteSettings
let lookUps = 0

beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'social-login-site-settings-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const nats = await startTestNats(directory)
  stack.defer(() => nats.stop())
  const url = await cloneDatabase(inject('postgres_url'), 'provider-auth')
  const database = stack.use(await openDatabase({ DATABASE_URL: url }, { name: 'test', logger }))
  knex = database.knex
  const encryptor = stack.use(await createEncryptor(keyRing(new Map([['test', Buffer.alloc(32)]]))))
  const reader: Reader = {
    run(statement, values) {
      if (statement.text.includes('from clients')) lookUps++
      return database.reader.run(statement, values)
    },
  }
  const open = async () => {
    const bus = stack.use(await connectBus(nats.url, { name: 'test', logger }))
    return stack.use(openSiteSettings({ reader, encryptor, bus, logger }))
  }
  ;[first, second] = [await open(), await open()]
})
afterAll(() => stack.disposeAsync())

async function registerClient(): Promise<RegisteredClient> {
  const client: RegisteredClient = {
    client_id: newToken(),
    site: 1,
    name: 'test',
    kind: 'confidential',
    pkce: 'optional',
    id_token_alg: 'RS256',
    callback_by_domain: false,
    token_exchange: false,
    metadata_claims: [],
    consents_claim: false,
    user_metadata_write: false,
    response_types: ['code'],
    redirect_uris: ['https://shop.example.com/cb'],
    post_logout_redirect_uris: [],
  }
  await transaction(knex, (trx) => insertClient(trx, client, ['hash']))
  return client
}

test('a client is looked up once, until it changes at another replica', async () => {
  const client = await registerClient()
  await expect.poll(() => second.findClient(client.client_id)).toEqual(client)
  const countLookUps = async () => {
    const before = lookUps
    for (let n = 0; n < 10; n++) expect(await second.findClient(client.client_id)).toEqual(client)
    return lookUps - before
  }
  // From the replica's first check on, and not in a pause of its checks; one of them can still find the registration.
  await expect.poll(countLookUps).toBeLessThanOrEqual(1)
  await deleteClient(knex, { site: client.site, client_id: client.client_id })
  first.publishChange()
  await expect.poll(() => second.findClient(client.client_id)).toBeUndefined()
})

test('a change without a notice takes effect, also of a secret only', async () => {
  const client = await registerClient()
  await expect.poll(() => first.listSecretHashes(client.client_id)).toEqual(['hash'])
  await knex('client_secrets').where({ client_id: client.client_id }).delete()
  await expect.poll(() => first.listSecretHashes(client.client_id)).toEqual([])
})

test('concurrent changes of different clients do not wait for each other, and each takes effect', async () => {
  const [one, other] = [await registerClient(), await registerClient()]
  for (const { client_id } of [one, other]) await expect.poll(() => first.findClient(client_id)).toBeDefined()
  await knex.transaction(async (trx) => {
    await trx('clients').where({ client_id: one.client_id }).update({ name: 'changed' })
    await knex('clients').where({ client_id: other.client_id }).update({ name: 'changed' })
  })
  for (const { client_id } of [one, other])
    await expect.poll(() => first.findClient(client_id)).toMatchObject({ name: 'changed' })
})
