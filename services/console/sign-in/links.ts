import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { because } from '#admin-api'
import { transaction } from '#database'
import type { Deps } from '../deps.ts'
import { AdminFault } from '../handlers/admin-fault.ts'
import { insertEntry } from '../store/audit-trail.ts'
import { findInvitation, type Invitation, takeInvitation, takeInvitationById } from '../store/invitations.ts'
import { findOperator, insertMember, lockRolesOf, upsertRole } from '../store/members.ts'
import { insertPasskey } from '../store/passkeys.ts'
import { insertIdentity, type ProviderIdentity } from '../store/provider-identities.ts'
import type { MadePasskey } from './ceremony.ts'

/** From where somebody does something at sign-in, for the audit trail. */
export interface Where {
  readonly address: string
  readonly request_id: string
}

type Base = Pick<Deps, 'knex' | 'now'>

/** @throws AdminFault `not_found` */
export async function requireInvitation(token: string, { knex, now }: Base): Promise<Invitation> {
  return (await findInvitation(knex, { token, now: now() })) ?? refuseLink()
}

/** Whom a link's passkey will be for: a new member, or the operator of the name. */
export async function memberOfLink({ name, account }: Invitation, { knex }: Base): Promise<string> {
  const known = account === null ? await findOperator(knex, name) : undefined
  return known?.member_id ?? randomUUID()
}

/** Uses a link up for a passkey: its member is made if need be, with the role, and has the passkey. Answers the member's id. */
export async function acceptWithPasskey(
  { token, name, made, where }: { token: string; name: string; made: MadePasskey; where: Where },
  { knex, now }: Base,
): Promise<string> {
  return transaction(knex, async (trx) => {
    const link = (await takeInvitation(trx, { token, now: now() })) ?? refuseLink()
    if (link.invitation_id !== made.invitation_id) refuseLink()
    const memberId = await makeMember(trx, link, made.member_id, now())
    // The operator of the name came to be meanwhile, and the passkey names somebody else.
    if (memberId !== made.member_id) throw new AdminFault('conflict', { reason: because('link_again') })
    await keepPasskey(trx, { name, made }, now())
    await note(trx, link, { act: 'acceptInvitation', member_id: memberId, where }, now())
    return memberId
  })
}

/** Uses a link up for who somebody is at the operator's own provider. Answers the member's id. */
export async function acceptWithIdentity(
  { invitation_id, identity, where }: { invitation_id: string; identity: ProviderIdentity; where: Where },
  { knex, now }: Base,
): Promise<string> {
  return transaction(knex, async (trx) => {
    const link = (await takeInvitationById(trx, { invitation_id, now: now() })) ?? refuseLink()
    const memberId = await makeMember(trx, link, randomUUID(), now())
    if (!(await insertIdentity(trx, { ...identity, member_id: memberId, now: now() }))) {
      throw new AdminFault('conflict', { reason: because('member_already') })
    }
    await note(trx, link, { act: 'acceptInvitation', member_id: memberId, where }, now())
    return memberId
  })
}

/** Uses a link up by itself, on a development machine alone. Answers the member's id. */
export async function acceptAtOnce(
  { token, where }: { token: string; where: Where },
  { knex, now }: Base,
): Promise<string> {
  return transaction(knex, async (trx) => {
    const link = (await takeInvitation(trx, { token, now: now() })) ?? refuseLink()
    const memberId = await makeMember(trx, link, randomUUID(), now())
    await note(trx, link, { act: 'acceptInvitation', member_id: memberId, where }, now())
    return memberId
  })
}

/** Uses a link up for a member who is signed in; a role that allows more stays. */
export async function acceptAsMember(
  { token, member_id, where }: { token: string; member_id: string; where: Where },
  { knex, now }: Base,
): Promise<void> {
  await transaction(knex, async (trx) => {
    const link = (await takeInvitation(trx, { token, now: now() })) ?? refuseLink()
    const { account, role } = link
    if (account === null || role === null) {
      throw new AdminFault('conflict', { reason: because('link_of_operator') })
    }
    const present = (await lockRolesOf(trx, account)).get(member_id)
    if (present !== undefined) throw new AdminFault('conflict', { reason: because('in_account_already') })
    await upsertRole(trx, { member_id, account, role })
    await note(trx, link, { act: 'join', member_id, where }, now())
  })
}

/** Keeps a passkey of a member. */
export async function keepPasskey(
  trx: Knex.Transaction,
  { name, made: { member_id, credential } }: { name: string; made: MadePasskey },
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
  if (!(await insertPasskey(trx, passkey))) throw new AdminFault('conflict', { reason: because('passkey_known') })
}

async function makeMember(
  trx: Knex.Transaction,
  { name, account, role }: Invitation,
  wantedId: string,
  now: Date,
): Promise<string> {
  const memberId = await insertMember(trx, { member_id: wantedId, name, operator: account === null, now })
  if (account !== null && role !== null) await upsertRole(trx, { member_id: memberId, account, role })
  return memberId
}

async function note(
  trx: Knex.Transaction,
  { name, account, role }: Invitation,
  { act, member_id, where }: { act: string; member_id: string; where: Where },
  now: Date,
): Promise<void> {
  const whole = { at: now, act, account, site_id: null, actor: name, member_id, token_id: null }
  await insertEntry(trx, { ...whole, ...where, before: null, after: { name, operator: account === null, role } })
}

function refuseLink(): never {
  throw new AdminFault('not_found', { reason: because('link_over') })
}
