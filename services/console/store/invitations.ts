import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Role } from '#admin-api'
import { limits } from '#contracts'
import { hashSecret, newToken } from '#runtime'
import { secondsAfter } from '../domain/lives.ts'

/** A link that can be used once: for a member to be of an account, or for an operator. */
export interface Invitation {
  readonly invitation_id: string
  readonly name: string
  readonly account: string | null
  readonly role: Role | null
  /** On a development machine it signs in without a passkey. */
  readonly signs_in: boolean
  readonly expires_at: Date
}

interface NewInvitation {
  readonly name: string
  readonly of?: { readonly account: string; readonly role: Role }
  readonly signs_in?: boolean
  readonly now: Date
}

/** Keeps an invitation by its token's hash; the token itself is told here only. */
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
    signs_in,
    expires_at: secondsAfter(now, limits.console_link_seconds),
  }
  await knex('invitations').insert({ ...invitation, token_hash: hashSecret(token) })
  return { ...invitation, token }
}

interface Shown {
  readonly token: string
  readonly now: Date
}

export async function findInvitation(knex: Knex, { token, now }: Shown): Promise<Invitation | undefined> {
  return living(knex, now)
    .where({ token_hash: hashSecret(token) })
    .first<Invitation | undefined>()
}

/** Uses the invitation up, for one caller alone; undefined when there is none any more. */
export async function takeInvitation(trx: Knex.Transaction, { token, now }: Shown): Promise<Invitation | undefined> {
  const [taken] = await living(trx, now)
    .where({ token_hash: hashSecret(token) })
    .delete()
    .returning<Invitation[]>('*')
  return taken
}

/** As `takeInvitation`, for one that was shown before. */
export async function takeInvitationById(
  trx: Knex.Transaction,
  { invitation_id, now }: { invitation_id: string; now: Date },
): Promise<Invitation | undefined> {
  const [taken] = await living(trx, now).where({ invitation_id }).delete().returning<Invitation[]>('*')
  return taken
}

export async function listInvitations(
  knex: Knex,
  { account, now }: { account: string; now: Date },
): Promise<(Invitation & { readonly role: Role })[]> {
  return living(knex, now).where({ account }).orderBy('expires_at').select<(Invitation & { readonly role: Role })[]>()
}

export async function listOperatorInvitations(knex: Knex, now: Date): Promise<Invitation[]> {
  return living(knex, now).where({ account: null }).orderBy('expires_at').select<Invitation[]>()
}

/** Answers what was withdrawn; undefined when the account has no such invitation. */
export async function deleteInvitation(
  knex: Knex,
  { account, invitation_id }: { account: string | null; invitation_id: string },
): Promise<Invitation | undefined> {
  const [deleted] = await knex('invitations').where({ account, invitation_id }).delete().returning<Invitation[]>('*')
  return deleted
}

/** The web console's address of a link. In the fragment the token reaches no server's log. */
export function linkOf(consoleUrl: string, token: string): string {
  return `${consoleUrl}/sign-in#${token}`
}

function living(knex: Knex, now: Date): Knex.QueryBuilder {
  return knex('invitations').where('expires_at', '>', now)
}
