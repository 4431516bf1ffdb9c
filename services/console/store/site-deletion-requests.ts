import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { DeletingService, SiteDeletionState, SiteReference } from '#admin-api'
import type { DeletedRows } from '#contracts'
import { translateConstraintErrors } from '#database'

export type DeletedByService = Readonly<Partial<Record<DeletingService, DeletedRows>>>

/** A requested deletion of a site. */
export interface DeletionRequest {
  readonly request_id: string
  readonly account: string
  readonly site_id: string
  readonly site: number
  /** A pending request can have expired. */
  readonly state: SiteDeletionState
  readonly reason: string | null
  readonly requested_by: string
  /** The member, also of a token that the member issued; null: an operator's token that no member issued. */
  readonly requester_id: string | null
  readonly requester_token_id: string | null
  readonly by_operator: boolean
  readonly requested_at: Date
  readonly expires_at: Date
  readonly approved_by: string | null
  readonly approved_at: Date | null
  readonly canceled_by: string | null
  readonly canceled_at: Date | null
  readonly service: DeletingService | null
  readonly deleted: DeletedByService
  /** What was deleted when the last round over all services began. */
  readonly deleted_before: DeletedByService
  readonly deleted_at: Date | null
}

/** The newest request of a site; it remains after the site is deleted. */
export async function findDeletionRequest(knex: Knex, site: SiteReference): Promise<DeletionRequest | undefined> {
  return newestFirst(knex, site).first()
}

/** As `findDeletionRequest`; locks it until the transaction ends. */
export async function lockDeletionRequest(
  trx: Knex.Transaction,
  site: SiteReference,
): Promise<DeletionRequest | undefined> {
  return newestFirst(trx, site).forUpdate().first()
}

/** At most one request has not ended: it is the newest, although a server with a faster clock may have stored an earlier one. */
function newestFirst(knex: Knex, { account, site_id }: SiteReference): Knex.QueryBuilder<DeletionRequest> {
  return knex('site_deletion_requests')
    .where({ account, site_id })
    .orderByRaw(`state in ('canceled', 'expired'), requested_at desc`)
}

type NewRequest = Omit<
  DeletionRequest,
  | 'request_id'
  | 'state'
  | 'approved_by'
  | 'approved_at'
  | 'canceled_by'
  | 'canceled_at'
  | 'service'
  | 'deleted'
  | 'deleted_before'
  | 'deleted_at'
>

/** Stores a request; an expired one ends. @throws Fault `already_exists` if another one is pending or approved */
export async function insertDeletionRequest(trx: Knex.Transaction, request: NewRequest): Promise<DeletionRequest> {
  const { account, site_id, requested_at } = request
  await trx('site_deletion_requests')
    .where({ account, site_id, state: 'pending' })
    .where('expires_at', '<=', requested_at)
    .update({ state: 'expired' })
  const inserting = trx('site_deletion_requests')
    .insert({ ...request, request_id: randomUUID(), state: 'pending' })
    .returning<DeletionRequest[]>('*')
  const [row] = await translateConstraintErrors(inserting, { site_deletion_requests_one: 'already_exists' })
  if (row === undefined) throw new Error('The insert returned no row.')
  return row
}

/** Stores the deletion of a site that moved to another cell. An operator decided it, by committing the move. */
export async function insertApprovedDeletion(
  trx: Knex.Transaction,
  { account, site_id, site, requested_by }: Pick<DeletionRequest, 'account' | 'site_id' | 'site' | 'requested_by'>,
  now: Date,
): Promise<void> {
  await trx('site_deletion_requests')
    .insert({
      request_id: randomUUID(),
      account,
      site_id,
      site,
      state: 'approved',
      reason: 'The site moved to another cell.',
      requested_by,
      by_operator: true,
      requested_at: now,
      expires_at: now,
      approved_by: requested_by,
      approved_at: now,
      next_step_at: now,
    })
    .onConflict()
    .ignore()
}

type RequestChanges = Partial<Omit<DeletionRequest, 'deleted' | 'deleted_before'>> & {
  readonly next_step_at?: Date | null
}

/** Changes a locked request. */
export async function updateDeletionRequest(
  trx: Knex.Transaction,
  requestId: string,
  changes: RequestChanges,
): Promise<DeletionRequest> {
  const [row] = await trx('site_deletion_requests')
    .where({ request_id: requestId })
    .update(changes)
    .returning<DeletionRequest[]>('*')
  if (row === undefined) throw new Error('The update returned no row.')
  return row
}

/** The approved request whose next step is due for the longest time. */
export async function findDueDeletion(knex: Knex, now: Date): Promise<DeletionRequest | undefined> {
  return knex('site_deletion_requests').where('next_step_at', '<=', now).orderBy('next_step_at').first()
}

/** Stores a step of a deletion, unless another replica has stored a later one. @returns false in that case */
export async function storeDeletionStep(
  trx: Knex.Transaction,
  { request_id, state, service }: Pick<DeletionRequest, 'request_id' | 'state' | 'service'>,
  step: Pick<DeletionRequest, 'state' | 'service' | 'deleted' | 'deleted_before' | 'deleted_at'> & {
    readonly next_step_at: Date | null
  },
): Promise<boolean> {
  const { deleted, deleted_before, ...columns } = step
  const updated = await trx('site_deletion_requests')
    .where({ request_id, state, service })
    .update({ ...columns, deleted: JSON.stringify(deleted), deleted_before: JSON.stringify(deleted_before) })
  return updated === 1
}

/** Plans the next attempt of a step that failed. */
export async function postponeDeletion(knex: Knex, requestId: string, nextStepAt: Date): Promise<void> {
  await knex('site_deletion_requests').where({ request_id: requestId }).update({ next_step_at: nextStepAt })
}

/** Rights of a member in an account and one of its sites. */
export async function readRights(
  knex: Knex,
  memberId: string,
  { account, site_id }: SiteReference,
): Promise<{ readonly operator: boolean; readonly owner: boolean }> {
  const { rows } = await knex.raw<{ rows: { operator: boolean; owner: boolean }[] }>(
    `select operator,
       exists (select from member_roles r where r.member_id = m.member_id and r.account = :account and role = 'owner')
       or exists (select from member_site_roles r where r.member_id = m.member_id and r.account = :account
                    and r.site_id = :site_id and role = 'owner') as owner
     from members m where member_id = :memberId`,
    { memberId, account, site_id },
  )
  return rows[0] ?? { operator: false, owner: false }
}

/** Whether an account or its site has an owner other than a member. */
export async function hasOtherOwner(
  knex: Knex,
  memberId: string | null,
  { account, site_id }: SiteReference,
): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    `select from member_roles where account = :account and role = 'owner' and member_id is distinct from :memberId
     union all
     select from member_site_roles
     where account = :account and site_id = :site_id and role = 'owner' and member_id is distinct from :memberId
     limit 1`,
    { memberId, account, site_id },
  )
  return rows.length > 0
}
