import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { limits } from '#contracts'
import { hashSecret, newToken } from '#runtime'
import { addSeconds } from '../domain/time.ts'
import type { AccountRoles } from './members.ts'

const noRole = 'none'

/** A single-use link for a member of an account or for an operator. */
export interface Invitation {
  readonly invitation_id: string
  readonly name: string
  readonly account: string | null
  /** The role in the whole account; null: only in `site_roles`, or of an operator. */
  readonly role: AccountRoles['role']
  readonly site_roles: AccountRoles['site_roles']
  /** On a development machine, the link signs in without a passkey. */
  readonly signs_in: boolean
  readonly expires_at: Date
}

interface NewInvitation {
  readonly name: string
  readonly of?: { readonly account: string } & Pick<AccountRoles, 'role'> & Partial<AccountRoles>
  readonly signs_in?: boolean
  readonly now: Date
}

/** Stores an invitation with the hash of its token. Only the return value has the token. */
export async function insertInvitation(
  knex: Knex,
  { name, of, signs_in = false, now }: NewInvitation,
): Promise<Invitation & { readonly token: string }> {
  const token = newToken()
  const invitation = {
    invitation_id: randomUUID(),
    name,
    account: of?.account ?? null,
    role: of?.role ?? null,
    site_roles: of?.site_roles ?? {},
    signs_in,
    expires_at: addSeconds(now, limits.console_link_seconds),
  }
  await knex('invitations').insert({
    ...invitation,
    // A role in the account is required, so that an earlier release rejects invitations of single sites.
    role: of === undefined ? null : (of.role ?? noRole),
    site_roles: JSON.stringify(invitation.site_roles),
    token_hash: hashSecret(token),
  })
  return { ...invitation, token }
}

interface PresentedToken {
  readonly token: string
  readonly now: Date
}

export async function findInvitation(knex: Knex, { token, now }: PresentedToken): Promise<Invitation | undefined> {
  return findUnexpired(knex, now)
    .where({ token_hash: hashSecret(token) })
    .first<StoredInvitation | undefined>()
    .then((row) => row && toInvitation(row))
}

/** Deletes and returns the invitation, for one caller only; undefined if it was used or has expired. */
export async function takeInvitation(
  trx: Knex.Transaction,
  { token, now }: PresentedToken,
): Promise<Invitation | undefined> {
  const [taken] = await findUnexpired(trx, now)
    .where({ token_hash: hashSecret(token) })
    .delete()
    .returning<StoredInvitation[]>('*')
  return taken && toInvitation(taken)
}

/** Like `takeInvitation`, by the ID of an invitation whose token was checked before. */
export async function takeInvitationById(
  trx: Knex.Transaction,
  { invitation_id, now }: { invitation_id: string; now: Date },
): Promise<Invitation | undefined> {
  const [taken] = await findUnexpired(trx, now).where({ invitation_id }).delete().returning<StoredInvitation[]>('*')
  return taken && toInvitation(taken)
}

export async function listInvitations(
  knex: Knex,
  { account, now }: { account: string; now: Date },
): Promise<Invitation[]> {
  const rows: StoredInvitation[] = await findUnexpired(knex, now).where({ account }).orderBy('expires_at').select()
  return rows.map(toInvitation)
}

export async function listOperatorInvitations(knex: Knex, now: Date): Promise<Invitation[]> {
  const rows: StoredInvitation[] = await findUnexpired(knex, now)
    .where({ account: null })
    .orderBy('expires_at')
    .select()
  return rows.map(toInvitation)
}

/** Returns the withdrawn invitation; undefined if the account does not have it. */
export async function deleteInvitation(
  knex: Knex,
  { account, invitation_id }: { account: string | null; invitation_id: string },
): Promise<Invitation | undefined> {
  const [deleted] = await knex('invitations')
    .where({ account, invitation_id })
    .delete()
    .returning<StoredInvitation[]>('*')
  return deleted && toInvitation(deleted)
}

/** Builds the URL of a link. The token is in the fragment, so that it is in no server log. */
export function buildInvitationLink(consoleUrl: string, token: string): string {
  return `${consoleUrl}/sign-in#${token}`
}

function findUnexpired(knex: Knex, now: Date): Knex.QueryBuilder {
  return knex('invitations').where('expires_at', '>', now)
}

type StoredInvitation = Omit<Invitation, 'role'> & { readonly role: Invitation['role'] | typeof noRole }

function toInvitation({ role, ...invitation }: StoredInvitation): Invitation {
  return { ...invitation, role: role === noRole ? null : role }
}
