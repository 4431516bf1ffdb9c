import type { Knex } from 'knex'

export interface RegisteredClient {
  readonly client_id: string
  readonly site: number
  readonly name: string
  readonly kind: 'confidential' | 'public'
  /** What the client's authorization requests must carry; never `optional` for a public client. */
  readonly pkce: 'optional' | 'required' | 'S256'
  readonly id_token_alg: 'RS256' | 'ES256'
  readonly redirect_uris: readonly string[]
}

export async function findClient(knex: Knex, client_id: string): Promise<RegisteredClient | undefined> {
  return selectClient(knex, knex('clients').where({ client_id }))
}

/** The client of a site that registered an address, byte for byte; of several the first. */
export async function findClientOfCallback(
  knex: Knex,
  { site, callback }: { readonly site: number; readonly callback: string },
): Promise<RegisteredClient | undefined> {
  const registered = knex('redirect_uris as r')
    .whereRaw('r.client_id = clients.client_id')
    .where({ redirect_uri: callback })
  return selectClient(knex, knex('clients').where({ site }).whereExists(registered).orderBy('client_id'))
}

async function selectClient(knex: Knex, clients: Knex.QueryBuilder): Promise<RegisteredClient | undefined> {
  return clients.first(
    'client_id',
    'site',
    'name',
    'kind',
    'pkce',
    'id_token_alg',
    knex.raw(
      'array(select redirect_uri from redirect_uris r where r.client_id = clients.client_id order by 1) as redirect_uris',
    ),
  )
}

/** @param secret_hashes none for a public client */
export async function insertClient(
  trx: Knex.Transaction,
  client: RegisteredClient,
  secret_hashes: readonly string[],
): Promise<void> {
  const { redirect_uris, ...row } = client
  const { client_id } = client
  await trx('clients').insert(row)
  await trx('redirect_uris').insert(redirect_uris.map((redirect_uri) => ({ client_id, redirect_uri })))
  if (secret_hashes.length > 0)
    await trx('client_secrets').insert(secret_hashes.map((secret_hash) => ({ client_id, secret_hash })))
}

/** Hashes of the client's live secrets: one, or two while it is being changed. */
export async function listSecretHashes(knex: Knex, client_id: string): Promise<string[]> {
  return knex('client_secrets').where({ client_id }).pluck('secret_hash')
}
