import type { Knex } from 'knex'
import { createReason, type SiteDeletion, type SiteReference } from '#admin-api'
import { AdminFault } from '../admin-fault.ts'
import { type DeletionRequest, hasOtherOwner, readRights } from '../store/site-deletion-requests.ts'
import { findToken } from '../store/tokens.ts'
import type { Actor } from './admin-handler.ts'

/** Who answers for a request or an approval. */
export interface Person {
  /** The member, also of a token that the member issued; null: an operator's token that no member issued. */
  readonly member_id: string | null
  readonly operator: boolean
  readonly owner: boolean
}

/** Finds the member who acts, directly or with a token. @throws AdminFault if no member answers for a token of an account */
export async function findPerson(knex: Knex, site: SiteReference, actor: Actor): Promise<Person> {
  const memberId = actor.member_id ?? (await findTokenIssuer(knex, actor))
  if (memberId !== null) return { member_id: memberId, ...(await readRights(knex, memberId, site)) }
  if (!actor.operator) throw new AdminFault('not_allowed', { reason: createReason('deletion_token_without_member') })
  return { member_id: null, operator: true, owner: false }
}

async function findTokenIssuer(knex: Knex, { token_id }: Actor): Promise<string | null> {
  const token = token_id === undefined ? undefined : await findToken(knex, token_id)
  if (token === undefined) throw new AdminFault('not_signed_in')
  return token.issued_by
}

/**
 * Why a member cannot approve a request; null: they can. Two different people are needed: another owner, or an operator if there is
 * none, or if an operator requested it.
 */
export async function findObstacle(
  knex: Knex,
  request: DeletionRequest,
  approver: Person,
): Promise<SiteDeletion['not_approvable_because']> {
  if (approver.member_id === request.requester_id) return 'deletion_own_request'
  if (!approver.owner && !approver.operator) return 'deletion_role_missing'
  if (!(await isStillAllowed(knex, request))) return 'deletion_requester_removed'
  if (approver.owner || request.by_operator) return null
  return (await hasOtherOwner(knex, request.requester_id, request)) ? 'deletion_needs_owner' : null
}

/** Whether the requester could request the deletion now. */
async function isStillAllowed(knex: Knex, request: DeletionRequest): Promise<boolean> {
  const { requester_id, requester_token_id } = request
  if (requester_id !== null) {
    const { operator, owner } = await readRights(knex, requester_id, request)
    return operator || owner
  }
  return requester_token_id !== null && (await findToken(knex, requester_token_id)) !== undefined
}
