import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { createReason } from '#admin-api'
import { transaction } from '#database'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { isProviderRequired } from '../store/account-providers.ts'
import { insertEntry } from '../store/audit-trail.ts'
import { findInvitation, type Invitation, takeInvitation, takeInvitationById } from '../store/invitations.ts'
import { addSiteRoles, findOperator, insertMember, lockRolesOf, replaceRoles, upsertRole } from '../store/members.ts'
import { insertPasskey } from '../store/passkeys.ts'
import { insertIdentity, type ProviderIdentity } from '../store/provider-identities.ts'
import { notifyOfMember } from './notify-of-member.ts'
import type { RegisteredPasskey } from './passkeys.ts'

/** Origin of a request, for the audit trail. */
export interface RequestOrigin {
  readonly address: string
  readonly request_id: string
}

type Base = Pick<Deps, 'knex' | 'now'>

/** @throws AdminFault `not_found` */
export async function requireInvitation(token: string, { knex, now }: Base): Promise<Invitation> {
  return (await findInvitation(knex, { token, now: now() })) ?? throwInvalidLink()
}

/** Returns the ID of the member who receives the passkey of an invitation: the operator with this name, or a new member. */
export async function findInvitedMember({ name, account }: Invitation, { knex }: Base): Promise<string> {
  const operator = account === null ? await findOperator(knex, name) : undefined
  return operator?.member_id ?? randomUUID()
}

/** Accepts an invitation with a passkey: creates the member if necessary, with role and passkey. @returns the member's ID */
export async function acceptWithPasskey(
  { token, name, made, where }: { token: string; name: string; made: RegisteredPasskey; where: RequestOrigin },
  { knex, now }: Base,
): Promise<string> {
  return transaction(knex, async (trx) => {
    const link = (await takeInvitation(trx, { token, now: now() })) ?? throwInvalidLink()
    if (link.invitation_id !== made.invitation_id) throwInvalidLink()
    const memberId = await createMember(trx, link, made.member_id, now())
    // An operator with this name was created meanwhile, and the passkey is for another member ID.
    if (memberId !== made.member_id) throw new AdminFault('conflict', { reason: createReason('link_changed') })
    await storePasskey(trx, { name, made }, now())
    await recordEntry(trx, link, { action: 'acceptInvitation', member_id: memberId, where }, now())
    return memberId
  })
}

/** Accepts an invitation with an identity at the operator's own provider. @returns the member's ID */
export async function acceptWithIdentity(
  { invitation_id, identity, where }: { invitation_id: string; identity: ProviderIdentity; where: RequestOrigin },
  { knex, now }: Base,
): Promise<string> {
  return transaction(knex, async (trx) => {
    const link = (await takeInvitationById(trx, { invitation_id, now: now() })) ?? throwInvalidLink()
    const memberId = await createMember(trx, link, randomUUID(), now())
    if (!(await insertIdentity(trx, { ...identity, member_id: memberId, now: now() }))) {
      throw new AdminFault('conflict', { reason: createReason('already_a_member') })
    }
    await recordEntry(trx, link, { action: 'acceptInvitation', member_id: memberId, where }, now())
    return memberId
  })
}

/** Accepts an invitation without authentication, on a development machine only. @returns the member's ID */
export async function acceptWithoutPasskey(
  { token, where }: { token: string; where: RequestOrigin },
  { knex, now }: Base,
): Promise<string> {
  return transaction(knex, async (trx) => {
    const link = (await takeInvitation(trx, { token, now: now() })) ?? throwInvalidLink()
    const memberId = await createMember(trx, link, randomUUID(), now())
    await recordEntry(trx, link, { action: 'acceptInvitation', member_id: memberId, where }, now())
    return memberId
  })
}

/** Accepts an invitation for the signed-in member. @throws AdminFault `conflict` if the member has a role in the account */
export async function acceptAsMember(
  { token, member_id, where }: { token: string; member_id: string; where: RequestOrigin },
  { knex, now }: Base,
): Promise<void> {
  await transaction(knex, async (trx) => {
    const link = (await takeInvitation(trx, { token, now: now() })) ?? throwInvalidLink()
    const { account, role, site_roles } = link
    if (account === null) {
      throw new AdminFault('conflict', { reason: createReason('operator_link') })
    }
    await requireInvitations(trx, account)
    const present = (await lockRolesOf(trx, account)).get(member_id)
    if (present !== undefined) throw new AdminFault('conflict', { reason: createReason('already_in_account') })
    if (role !== null) await upsertRole(trx, { member_id, account, role })
    await addSiteRoles(trx, { member_id, account, site_roles })
    await notifyOfMember(trx, { account, role, site_roles }, now())
    await recordEntry(trx, link, { action: 'join', member_id, where }, now())
  })
}

/** Stores a passkey of a member. */
export async function storePasskey(
  trx: Knex.Transaction,
  { name, made: { member_id, credential } }: { name: string; made: RegisteredPasskey },
  now: Date,
): Promise<void> {
  const { id, publicKey, counter, transports = [] } = credential
  const passkey = {
    passkey_id: id,
    member_id,
    name,
    public_key: Buffer.from(publicKey),
    counter,
    transports,
    created_at: now,
  }
  if (!(await insertPasskey(trx, passkey))) throw new AdminFault('conflict', { reason: createReason('passkey_exists') })
}

async function createMember(
  trx: Knex.Transaction,
  { name, account, role, site_roles }: Invitation,
  newMemberId: string,
  now: Date,
): Promise<string> {
  if (account !== null) await requireInvitations(trx, account)
  const memberId = await insertMember(trx, { member_id: newMemberId, name, operator: account === null, now })
  if (account !== null) {
    await replaceRoles(trx, { member_id: memberId, account, role, site_roles })
    await notifyOfMember(trx, { account, role, site_roles }, now)
  }
  return memberId
}

/** @throws AdminFault `conflict` if members of the account can sign in only at its own provider */
async function requireInvitations(trx: Knex.Transaction, account: string): Promise<void> {
  if (!(await isProviderRequired(trx, account))) return
  throw new AdminFault('conflict', { reason: createReason('account_invitations_off') })
}

async function recordEntry(
  trx: Knex.Transaction,
  { name, account, role, site_roles }: Invitation,
  { action, member_id, where }: { action: string; member_id: string; where: RequestOrigin },
  now: Date,
): Promise<void> {
  const whole = { at: now, action, account, site_id: null, actor: name, member_id, token_id: null }
  await insertEntry(trx, {
    ...whole,
    ...where,
    before: null,
    after: { name, operator: account === null, role, site_roles },
  })
}

function throwInvalidLink(): never {
  throw new AdminFault('not_found', { reason: createReason('link_invalid') })
}
