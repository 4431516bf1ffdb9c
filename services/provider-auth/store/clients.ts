import type { Knex } from 'knex'
import type { Client } from '#contracts'
import { defineStatement, type Executor, transaction, translateConstraintErrors } from '#database'
import { toTimestamp } from '#runtime'
import type { RegisteredClient } from '../domain/client.ts'

const clientColumns = `client_id, site, name, kind, pkce, id_token_alg, response_types, callback_by_domain,
  token_exchange, metadata_claims, consents_claim, user_metadata_write, post_logout_redirect_uris,
  array(select redirect_uri from redirect_uris r where r.client_id = clients.client_id order by 1) as redirect_uris`

/** A closed site has no clients any more, although they are deleted later. */
const isOpen = `not exists (select from site_deletions d where d.site = clients.site and d.table_name = '')`

const selectClient = defineStatement<RegisteredClient>(
  `select ${clientColumns} from clients where client_id = $1 and ${isOpen}`,
)
const selectClientByRedirectUri = defineStatement<RegisteredClient>(
  `select ${clientColumns} from clients
   where site = $1 and exists (select from redirect_uris r where r.client_id = clients.client_id and redirect_uri = $2)
     and ${isOpen}
   order by client_id limit 1`,
)

const selectDomainCallbackClient = defineStatement<RegisteredClient>(
  `select ${clientColumns} from clients where site = $1 and callback_by_domain and ${isOpen} order by client_id limit 1`,
)

export async function findClient(executor: Executor, clientId: string): Promise<RegisteredClient | undefined> {
  return (await selectClient(executor, [clientId])).rows[0]
}

/** The site's client that registered a redirect URI, byte for byte; the first one if there are several. */
export async function findClientByRedirectUri(
  executor: Executor,
  { site, callback }: { readonly site: number; readonly callback: string },
): Promise<RegisteredClient | undefined> {
  return (await selectClientByRedirectUri(executor, [site, callback])).rows[0]
}

/** The site's client whose site logins may return to any URL in the site's domains; the first one if there are several. */
export async function findDomainCallbackClient(
  executor: Executor,
  site: number,
): Promise<RegisteredClient | undefined> {
  return (await selectDomainCallbackClient(executor, [site])).rows[0]
}

const selectFirstOrigin = defineStatement<{ origin: string }>(
  `select substring(redirect_uri from '^https?://[^/?]+') as origin
   from clients join redirect_uris using (client_id)
   where clients.site = $1 and redirect_uri ~ '^https?://' order by clients.created_at, redirect_uri limit 1`,
)

/** The origin of a site's first redirect URI, where its application is; undefined if all are of native applications. */
export async function findApplicationOrigin(executor: Executor, site: number): Promise<string | undefined> {
  return (await selectFirstOrigin(executor, [site])).rows[0]?.origin
}

/** @param secretHashes none for a public client */
export async function insertClient(
  trx: Knex.Transaction,
  client: RegisteredClient,
  secretHashes: readonly string[],
): Promise<void> {
  const { redirect_uris, ...row } = client
  const { client_id } = client
  const inserting = trx('clients').insert({
    ...row,
    post_logout_redirect_uris: toSortedSet(row.post_logout_redirect_uris),
  })
  await translateConstraintErrors(inserting, { clients_pk: 'already_exists' })
  await trx('redirect_uris').insert(redirect_uris.map((redirectUri) => ({ client_id, redirect_uri: redirectUri })))
  if (secretHashes.length > 0)
    await trx('client_secrets').insert(secretHashes.map((secretHash) => ({ client_id, secret_hash: secretHash })))
}

const selectSecretHashes = defineStatement<{ secret_hash: string }>(
  'select secret_hash from client_secrets where client_id = $1',
)

/** Hashes of the client's valid secrets: one, or two during a rotation. */
export async function listSecretHashes(executor: Executor, clientId: string): Promise<string[]> {
  return (await selectSecretHashes(executor, [clientId])).rows.map(({ secret_hash }) => secret_hash)
}

/** All data of a site's clients, without their secrets. */
export async function listSiteClients(knex: Knex, name: { site: number; client_id?: string }): Promise<Client[]> {
  const rows: ClientRow[] = await knex('clients')
    .where(name)
    .orderBy(['created_at', 'client_id'])
    .select(
      'client_id',
      'kind',
      'name',
      'response_types',
      'pkce',
      'id_token_alg',
      'created_at',
      'revision',
      'post_logout_redirect_uris',
      'callback_by_domain',
      'token_exchange',
      'metadata_claims',
      'consents_claim',
      'user_metadata_write',
      knex.raw(
        'array(select redirect_uri from redirect_uris r where r.client_id = clients.client_id order by 1) as redirect_uris',
      ),
      knex.raw(
        `array(
           select json_build_object('secret_id', secret_id, 'created_at', created_at) from client_secrets s
           where s.client_id = clients.client_id order by created_at, secret_id
         ) as secrets`,
      ),
    )
  return rows.map((row) => ({
    ...row,
    created_at: toTimestamp(row.created_at),
    // JSON in the row contains the time as text.
    secrets: row.secrets.map((secret) => ({ ...secret, created_at: toTimestamp(Date.parse(secret.created_at)) })),
  }))
}

type ClientRow = Omit<Client, 'created_at'> & { readonly created_at: Date }

/** Whether the site has a client, and thus a redirect URI. */
export async function hasClient(knex: Knex, site: number): Promise<boolean> {
  return (await knex('clients').where({ site }).first('site')) !== undefined
}

/** Locks and returns the client; the lock prevents other changes until the transaction ends. */
export async function lockClient(
  trx: Knex.Transaction,
  name: { site: number; client_id: string },
): Promise<Client | undefined> {
  const locked: unknown = await trx('clients').where(name).forUpdate().first('client_id')
  if (locked === undefined) return undefined
  const [client] = await listSiteClients(trx, name)
  return client
}

/** The fields of a client that can be changed; undefined ones stay. */
type ClientChanges = {
  readonly [K in Exclude<keyof RegisteredClient, 'client_id' | 'site' | 'kind'>]?: RegisteredClient[K] | undefined
}

/** Changes a locked client and increments its revision. */
export async function updateClient(
  trx: Knex.Transaction,
  clientId: string,
  { redirect_uris, ...changes }: ClientChanges,
): Promise<void> {
  await trx('clients')
    .where({ client_id: clientId })
    .update({
      ...changes,
      post_logout_redirect_uris: changes.post_logout_redirect_uris && toSortedSet(changes.post_logout_redirect_uris),
      revision: trx.raw('revision + 1'),
    })
  if (redirect_uris === undefined) return
  await trx('redirect_uris').where({ client_id: clientId }).whereNotIn('redirect_uri', redirect_uris).delete()
  await trx('redirect_uris')
    .insert(redirect_uris.map((redirectUri) => ({ client_id: clientId, redirect_uri: redirectUri })))
    .onConflict(['client_id', 'redirect_uri'])
    .ignore()
}

/** Sorted and without duplicates. */
function toSortedSet(addresses: readonly string[]): string[] {
  return [...new Set(addresses)].sort()
}

/**
 * Deletes a client with its secrets, codes and tokens.
 *
 * @returns false if there is no such client
 */
export async function deleteClient(knex: Knex, name: { site: number; client_id: string }): Promise<boolean> {
  return transaction(knex, async (trx) => {
    const isDeleted = (await trx('clients').where(name).delete()) > 0
    // Distributed codes have no foreign key to clients. A code that is issued now cannot be redeemed, and expires.
    await trx('authorization_codes').where(name).delete()
    return isDeleted
  })
}

export async function insertSecret(
  trx: Knex.Transaction,
  secret: { client_id: string; secret_id: string; secret_hash: string },
): Promise<void> {
  await trx('client_secrets').insert(secret)
}

export async function deleteSecret(trx: Knex.Transaction, clientId: string, secretId: string): Promise<void> {
  await trx('client_secrets').where({ client_id: clientId, secret_id: secretId }).delete()
}
