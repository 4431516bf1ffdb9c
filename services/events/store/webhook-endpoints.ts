import type { Knex } from 'knex'
import type { WebhookEndpoint } from '#contracts'
import { toTimestamp, toTimestampOrNull } from '#runtime'

/** What names an endpoint. */
export interface EndpointKey {
  readonly site: number
  readonly endpoint_id: string
}

/** An endpoint, with its valid secrets (encrypted), newest first. */
export interface StoredEndpoint extends Omit<WebhookEndpoint, 'public_key' | 'secrets'> {
  readonly site: number
  readonly secrets: readonly StoredSecret[]
}

export interface StoredSecret {
  readonly secret_id: string
  readonly secret_encrypted: Buffer
  readonly created_at: string
  readonly expires_at: string | null
}

type EndpointRow = Omit<StoredEndpoint, 'secrets' | 'failing_since' | 'created_at'> & {
  readonly failing_since: Date | null
  readonly created_at: Date
}

/** The endpoints of a site, or one of them, in the order of their creation. */
export async function selectEndpoints(
  knex: Knex,
  { site, endpoint_id }: { readonly site: number; readonly endpoint_id?: string },
): Promise<StoredEndpoint[]> {
  const key = { site, ...(endpoint_id !== undefined && { endpoint_id }) }
  const rows: EndpointRow[] = await knex('webhook_endpoints')
    .where(key)
    .orderBy(['created_at', 'endpoint_id'])
    .select(
      'site',
      'endpoint_id',
      'name',
      'url',
      'types',
      'signature',
      'ordered',
      'enabled',
      'paused_because',
      'failing_since',
      'created_at',
      'revision',
      knex.raw(`(select last_sequence from sites where sites.site = webhook_endpoints.site) - sequence as backlog`),
      knex.raw(
        `(select count(*)::integer from webhook_deliveries d where d.site = webhook_endpoints.site
           and d.endpoint_id = webhook_endpoints.endpoint_id and d.status = 'waiting') as waiting`,
      ),
    )
  const secrets = await listSecrets(knex, key)
  return rows.map((row) => ({
    ...row,
    backlog: Number(row.backlog),
    failing_since: toTimestampOrNull(row.failing_since),
    created_at: toTimestamp(row.created_at),
    secrets: secrets.get(row.endpoint_id) ?? [],
  }))
}

type SecretRow = Pick<StoredSecret, 'secret_id' | 'secret_encrypted'> & {
  readonly endpoint_id: string
  readonly created_at: Date
  readonly expires_at: Date | null
}

/** The valid secrets of endpoints, by endpoint. */
async function listSecrets(knex: Knex, key: Partial<EndpointKey>): Promise<ReadonlyMap<string, StoredSecret[]>> {
  const rows: SecretRow[] = await knex('webhook_secrets')
    .where(key)
    .whereRaw('coalesce(expires_at > now(), true)')
    .orderByRaw('created_at desc, secret_id')
    .select('endpoint_id', 'secret_id', 'secret_encrypted', 'created_at', 'expires_at')
  const byEndpoint = Map.groupBy(rows, ({ endpoint_id }) => endpoint_id)
  return new Map(
    [...byEndpoint].map(([endpoint, secrets]) => [
      endpoint,
      secrets.map(({ secret_id, secret_encrypted, created_at, expires_at }) => ({
        secret_id,
        secret_encrypted,
        created_at: toTimestamp(created_at),
        expires_at: toTimestampOrNull(expires_at),
      })),
    ]),
  )
}

/** What customers set. */
export type EndpointSettings = Pick<WebhookEndpoint, 'name' | 'url' | 'types' | 'signature' | 'ordered' | 'enabled'>

/** @throws the error of `webhook_endpoints_name_unique` */
export async function insertEndpoint(
  trx: Knex.Transaction,
  endpoint: EndpointKey &
    EndpointSettings & { readonly account: string; readonly site_id: string; readonly sequence: number },
): Promise<void> {
  await trx('webhook_endpoints').insert(endpoint)
}

type LockedEndpoint = Pick<WebhookEndpoint, 'revision' | 'signature' | 'ordered' | 'types'> & {
  /** Events up to this number have a delivery, or a type that is not selected. */
  readonly sequence: number
}

/** Locks an endpoint until the transaction ends. */
export async function lockEndpoint(
  trx: Knex.Transaction,
  { site, endpoint_id }: EndpointKey,
): Promise<LockedEndpoint | undefined> {
  return trx('webhook_endpoints')
    .where({ site, endpoint_id })
    .forUpdate()
    .first('revision', 'signature', 'ordered', 'types', 'sequence')
}

/**
 * Changes a locked endpoint and increments its revision. An endpoint that is enabled is no longer paused by the service, and its
 * waiting deliveries are due immediately.
 */
export async function updateEndpoint(
  trx: Knex.Transaction,
  { site, endpoint_id }: EndpointKey,
  changes: { readonly [K in keyof EndpointSettings]?: EndpointSettings[K] | undefined },
): Promise<void> {
  await trx('webhook_endpoints')
    .where({ site, endpoint_id })
    .update({
      ...changes,
      ...(changes.enabled && { paused_because: null, failing_since: null }),
      revision: trx.raw('revision + 1'),
    })
  const waiting = trx('webhook_deliveries').where({ site, endpoint_id, status: 'waiting' })
  if (changes.enabled) await waiting.clone().whereNotNull('next_attempt_at').update({ next_attempt_at: trx.fn.now() })
  // Those that waited for earlier ones of their users.
  if (changes.ordered === false) await waiting.whereNull('next_attempt_at').update({ next_attempt_at: trx.fn.now() })
}

/** @returns false if there is no such endpoint */
export async function deleteEndpoint(knex: Knex, { site, endpoint_id }: EndpointKey): Promise<boolean> {
  return (await knex('webhook_endpoints').where({ site, endpoint_id }).delete()) > 0
}

export async function countEndpoints(trx: Knex.Transaction, site: number): Promise<number> {
  return Number((await trx('webhook_endpoints').where({ site }).count({ count: '*' }).first())?.count ?? 0)
}

/** The state of an endpoint for operators. */
export type EndpointState = 'sending' | 'failing' | 'paused' | 'paused_by_failures'

/**
 * Counts the endpoints of all sites, and finds the age of the oldest event that an endpoint without failures has not received.
 */
export async function countEndpointsByState(
  knex: Knex,
): Promise<{ readonly states: Readonly<Record<EndpointState, number>>; readonly oldestAgeSeconds: number }> {
  const { rows } = await knex.raw<{ rows: { state: EndpointState; count: number; oldest: number | null }[] }>(
    `select case when enabled then case when failing_since is null then 'sending' else 'failing' end
         when paused_because is null then 'paused' else 'paused_by_failures' end as state,
       count(*)::integer as count, extract(epoch from now() - min(next.recorded_at))::float8 as oldest
     from webhook_endpoints e
     left join lateral (
       select recorded_at from events
       where events.site = e.site and events.sequence > e.sequence and (e.types is null or events.type = any(e.types))
       order by events.sequence limit 1
     ) as next on e.enabled and failing_since is null
     group by 1`,
  )
  const countOf = (state: EndpointState) => rows.find((row) => row.state === state)?.count ?? 0
  return {
    states: {
      sending: countOf('sending'),
      failing: countOf('failing'),
      paused: countOf('paused'),
      paused_by_failures: countOf('paused_by_failures'),
    },
    oldestAgeSeconds: rows.find(({ state }) => state === 'sending')?.oldest ?? 0,
  }
}
