import type { Knex } from 'knex'
import type { EventTypeName } from '#contracts'
import { defineStatement, isDistributed, isNotFrozen } from '#database'
import type { EndpointKey } from './webhook-endpoints.ts'

/** Whether a replica may lease an endpoint. */
const isFree = (lease: string, running: string) => `e.enabled
  and ${isNotFrozen('e.site')} and (e.leased_until is null or e.leased_until < now() or (e.lease = ${lease} and e.endpoint_id <> all(${running}::uuid[])))`
const selectDue = (lease: string, running: string) => `select e.site, e.endpoint_id
   from webhook_endpoints e join sites using (site)
   where ${isFree(lease, running)}
     and (e.sequence < sites.last_sequence or exists (
       select from webhook_deliveries d
       where d.site = e.site and d.endpoint_id = e.endpoint_id and d.next_attempt_at <= now()))`
const leaseEach = defineStatement<EndpointKey>(
  `update webhook_endpoints set lease = $1, leased_until = now() + make_interval(secs => $2)
   where (site, endpoint_id) in (${selectDue('$1', '$4')} limit $3 for update of e skip locked)
   returning site, endpoint_id`,
)
const listDue = defineStatement<EndpointKey>(`${selectDue('$1', '$2')} limit $3`)
const leaseOne = defineStatement<EndpointKey>(
  `update webhook_endpoints e set lease = $1, leased_until = now() + make_interval(secs => $2)
   where site = $3 and endpoint_id = $4 and ${isFree('$1', '$5')}
   returning site, endpoint_id`,
)

/**
 * Leases enabled endpoints with new events or due deliveries, of all sites: no other replica sends to them until the lease ends.
 *
 * @param lease names the replica
 * @param running IDs of endpoints to which the replica already sends. It gets others that it has leased again: the connection broke
 *   before it learned of the lease, or before it released them.
 */
export async function leaseEndpoints(
  knex: Knex,
  { lease, running, seconds, limit }: { lease: string; running: readonly string[]; seconds: number; limit: number },
): Promise<EndpointKey[]> {
  if (!isDistributed(knex)) return (await leaseEach(knex, [lease, seconds, limit, running])).rows
  const leased: EndpointKey[] = []
  // Another replica can be first.
  for (const { site, endpoint_id } of (await listDue(knex, [lease, running, limit])).rows)
    leased.push(...(await leaseOne(knex, [lease, seconds, site, endpoint_id, running])).rows)
  return leased
}

const renewEach = defineStatement(
  `update webhook_endpoints set leased_until = now() + make_interval(secs => $2)
   where lease = $1 and leased_until is not null and ${isNotFrozen('site')}`,
)

/** Extends the leases of a replica. One that ended and was not taken by another replica continues. */
export async function renewLeases(knex: Knex, lease: string, seconds: number): Promise<void> {
  await renewEach(knex, [lease, seconds])
}

const releaseOne = defineStatement(
  `update webhook_endpoints set leased_until = null where site = $1 and endpoint_id = $2 and lease = $3`,
)

export async function releaseEndpoint(knex: Knex, { site, endpoint_id }: EndpointKey, lease: string): Promise<void> {
  await releaseOne(knex, [site, endpoint_id, lease])
}

const lockLeased = defineStatement(
  `select from webhook_endpoints where site = $1 and endpoint_id = $2 and lease = $3 and leased_until is not null for update`,
)

/** Locks an endpoint until the transaction ends. @returns false if this replica no longer has it */
export async function lockLeasedEndpoint(
  trx: Knex.Transaction,
  { site, endpoint_id }: EndpointKey,
  lease: string,
): Promise<boolean> {
  return (await lockLeased(trx, [site, endpoint_id, lease])).rowCount === 1
}

/** What sending needs to know of an endpoint. */
export interface LeasedEndpoint extends EndpointKey {
  readonly account: string
  readonly site_id: string
  readonly url: string
  readonly types: readonly EventTypeName[] | null
  readonly ordered: boolean
  /** Events up to this number have a delivery, or a type that is not selected. */
  readonly sequence: number
  readonly failing_since: Date | null
  /** Deliveries that are not at their end. */
  readonly waiting: number
  /** The valid secrets, encrypted, newest first. */
  readonly secrets: readonly { readonly secret_id: string; readonly secret_encrypted: Buffer }[]
}

const selectLeased = defineStatement<Omit<LeasedEndpoint, 'secrets'>>(
  `select site, endpoint_id, account, site_id, url, types, ordered, sequence, failing_since,
     (select count(*)::integer from webhook_deliveries d
      where d.site = e.site and d.endpoint_id = e.endpoint_id and d.status = 'waiting') as waiting
   from webhook_endpoints e
   where site = $1 and endpoint_id = $2 and lease = $3 and leased_until is not null and enabled`,
)
const selectSecrets = defineStatement<LeasedEndpoint['secrets'][number]>(
  `select secret_id, secret_encrypted from webhook_secrets
   where site = $1 and endpoint_id = $2 and coalesce(expires_at > now(), true) order by created_at desc, secret_id`,
)

/** @returns undefined if this replica no longer has the endpoint, or it was paused */
export async function findLeasedEndpoint(
  knex: Knex,
  { site, endpoint_id }: EndpointKey,
  lease: string,
): Promise<LeasedEndpoint | undefined> {
  const [endpoint] = (await selectLeased(knex, [site, endpoint_id, lease])).rows
  return endpoint && { ...endpoint, secrets: (await selectSecrets(knex, [site, endpoint_id])).rows }
}
