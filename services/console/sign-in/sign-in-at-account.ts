import type { Knex } from 'knex'
import { type AdminReason, createReason, roles } from '#admin-api'
import { transaction } from '#database'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { readMember, readName } from '../domain/member-claims.ts'
import { lockProvenDomains } from '../store/account-domains.ts'
import {
  type AccountIdentity,
  findMemberOfAccountIdentity,
  insertManagedMember,
  updateManagedMember,
} from '../store/account-identities.ts'
import { type AccountProviderRow, lockAccountProvider } from '../store/account-providers.ts'
import { insertEntry } from '../store/audit-trail.ts'
import { type AccountRoles, deleteRoles, lockRolesOf, readSiteRoles, replaceRoles } from '../store/members.ts'
import { deleteSessionsOf } from '../store/sessions.ts'
import { deleteTokensIssuedBy } from '../store/tokens.ts'
import type { RequestOrigin } from './accept-invitation.ts'
import { notifyOfMember } from './notify-of-member.ts'
import type { ProviderAuthentication } from './openid-provider.ts'

interface AccountSignIn {
  readonly account: string
  /** Of the settings with which the sign-in started. */
  readonly revision: number
  readonly authentication: ProviderAuthentication
  readonly where: RequestOrigin
}

/**
 * Creates or updates the member of an identity at the provider of an account, with the roles of the claims. A member whose claims give no
 * role any more is removed from the account, and is not signed in.
 *
 * @returns the member's ID
 * @throws AdminFault `not_allowed` with a reason that says what to change
 */
export async function signInAtAccount(
  { account, revision, authentication, where }: AccountSignIn,
  { knex, now }: Pick<Deps, 'knex' | 'now'>,
): Promise<string> {
  const outcome = await transaction(knex, async (trx) => {
    const provider = await lockAccountProvider(trx, account)
    if (provider === undefined || provider.revision !== revision) return { rejected: settingsChanged() }
    const { subject, claims } = authentication
    const domains = await lockProvenDomains(trx, account)
    const claimed = readMember(claims, { ...provider, domains })
    const identity = { account, issuer: provider.issuer, subject }
    const memberId = await findMemberOfAccountIdentity(trx, identity)
    const signIn = { identity, name: readName(claims), where, now: now() }
    if (claimed.problem === null) {
      const member = memberId === undefined ? undefined : { member_id: memberId, provider }
      return { member_id: await admitMember(trx, member, claimed, signIn) }
    }
    if (memberId !== undefined && isRoleLost(claimed.problem))
      await removeMember(trx, memberId, claimed.problem, signIn)
    return { rejected: claimed.problem }
  })
  if (outcome.rejected !== undefined) throw new AdminFault('not_allowed', { reason: outcome.rejected })
  return outcome.member_id
}

function settingsChanged(): AdminReason {
  return createReason('sign_in_settings_changed')
}

/** Whether the claims give no role. Providers omit the claim of a member who is in no group. Other problems change no rights. */
function isRoleLost({ name }: AdminReason): boolean {
  return name === 'sign_in_role_missing' || name === 'sign_in_claim_missing'
}

interface SignIn {
  readonly identity: AccountIdentity
  readonly name: string
  readonly where: RequestOrigin
  readonly now: Date
}

/** Creates the member at the first sign-in. Later, claims replace the roles; without a role claim, owners change them. */
async function admitMember(
  trx: Knex.Transaction,
  member: { readonly member_id: string; readonly provider: AccountProviderRow } | undefined,
  { role, site_roles }: AccountRoles,
  { identity, name, where, now }: SignIn,
): Promise<string> {
  const { account } = identity
  if (member === undefined) {
    const memberId = await insertManagedMember(trx, { ...identity, name, now })
    await replaceRoles(trx, { member_id: memberId, account, role, site_roles })
    await recordEntry(trx, { action: 'joinByProvider', member_id: memberId, name, account, where, now }, null, {
      role,
      site_roles,
    })
    await notifyOfMember(trx, { account, role, site_roles }, now)
    return memberId
  }
  const { member_id, provider } = member
  await updateManagedMember(trx, { ...identity, member_id, name, now })
  const before = await readRoles(trx, { member_id, account })
  const hasRole = before.role !== null || Object.keys(before.site_roles).length > 0
  if (provider.role_claim === null && hasRole) return member_id
  const after = { role, site_roles }
  if (JSON.stringify(before) === JSON.stringify(after)) return member_id
  await replaceRoles(trx, { member_id, account, ...after })
  const higherRoles = role === null ? roles : roles.slice(roles.indexOf(role) + 1)
  await deleteTokensIssuedBy(trx, { member_id, account, roles: higherRoles })
  await recordEntry(trx, { action: 'changeRolesByProvider', member_id, name, account, where, now }, before, after)
  return member_id
}

async function removeMember(
  trx: Knex.Transaction,
  memberId: string,
  problem: AdminReason,
  { identity: { account }, name, where, now }: SignIn,
): Promise<void> {
  const before = await readRoles(trx, { member_id: memberId, account })
  await deleteSessionsOf(trx, memberId)
  await deleteTokensIssuedBy(trx, { member_id: memberId, account })
  await deleteRoles(trx, { member_id: memberId, account })
  const entry = { action: 'removeByProvider', member_id: memberId, name, account, where, now }
  await recordEntry(trx, entry, before, { reason: problem.name })
}

async function readRoles(
  trx: Knex.Transaction,
  { member_id, account }: { readonly member_id: string; readonly account: string },
): Promise<AccountRoles> {
  const inAccount = await lockRolesOf(trx, account)
  return { role: inAccount.get(member_id) ?? null, site_roles: await readSiteRoles(trx, { member_id, account }) }
}

interface Entry extends Omit<SignIn, 'identity'> {
  readonly action: string
  readonly member_id: string
  readonly account: string
}

async function recordEntry(
  trx: Knex.Transaction,
  { action, member_id, name, account, where, now }: Entry,
  before: object | null,
  after: object,
): Promise<void> {
  const whole = { at: now, action, account, site_id: null, actor: name, member_id, token_id: null }
  await insertEntry(trx, { ...whole, ...where, before, after })
}
