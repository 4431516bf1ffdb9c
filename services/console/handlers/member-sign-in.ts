import type { z } from 'zod'
import { createReason, type MemberSignIn, type memberSignInProcedures } from '#admin-api'
import { transaction } from '#database'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { readMember } from '../domain/member-claims.ts'
import { toRolePreview } from '../domain/role-preview.ts'
import { listDomains } from '../store/account-domains.ts'
import { deleteManagedSessions, listOwnersByProvider } from '../store/account-identities.ts'
import {
  type AccountProviderRow,
  deleteAccountProvider,
  findAccountProvider,
  saveAccountProvider,
} from '../store/account-providers.ts'
import { findSignInTest } from '../store/sign-in-tests.ts'
import type { AdminHandlers } from './admin-handler.ts'
import { requireIssuer } from './require-issuer.ts'
import { requireSites } from './require-valid-roles.ts'
import { requireAccount } from './resolve-account.ts'
import { toSignInDomain } from './sign-in-domains.ts'

type Names = 'readMemberSignIn' | 'saveMemberSignIn' | 'removeMemberSignIn' | 'previewMemberRoles' | 'readTestSignIn'

/** The OpenID Provider of an account, at which its members sign in. */
export const memberSignInHandlers = {
  async readMemberSignIn({ account }, deps) {
    return readMemberSignIn(account, deps)
  },

  async saveMemberSignIn({ account, client_secret, ...settings }, deps, actor) {
    const { knex, accountProviders } = deps
    const { call, expected_revision } = actor
    await requireAccount(account, deps, actor)
    const siteIds = settings.role_rules.flatMap(({ site_id }) => (site_id === null ? [] : [site_id]))
    await requireSites(account, siteIds, 'role_rules', deps, call)
    const before = await findAccountProvider(knex, account)
    // The revision is checked again when the settings are stored.
    if ((before?.revision ?? 0) !== expected_revision) throw new AdminFault('revision_mismatch')
    const isSame = before?.issuer === settings.issuer && before.client_id === settings.client_id
    // The stored secret must not reach another issuer.
    const secret = client_secret ?? (isSame ? await accountProviders.decryptSecret(before) : undefined)
    if (secret === undefined) {
      throw new AdminFault('invalid_request', { field: 'client_secret', reason: createReason('new_client_secret') })
    }
    if (!isSame) await requireIssuer({ ...settings, account, client_secret: secret }, accountProviders)
    const encrypted = accountProviders.encryptSecret(account, secret)
    const row = { ...settings, account, client_secret_encrypted: encrypted, revision: expected_revision }
    await transaction(knex, async (trx) => {
      const revision = await saveAccountProvider(trx, row)
      if (revision === undefined) throw new AdminFault('revision_mismatch')
      if (settings.required && !(isSame && before.required)) await requireOwner(trx, row, isSame)
      if (!isSame) await deleteManagedSessions(trx, account)
      const change = { ...settings, secret_changed: client_secret !== undefined }
      await actor.auditIn(trx, before === undefined ? null : toSettings(before), change)
    })
    return readMemberSignIn(account, deps)
  },

  async removeMemberSignIn({ account }, { knex }, actor) {
    await transaction(knex, async (trx) => {
      const removed = await deleteAccountProvider(trx, { account, revision: actor.expected_revision })
      if (removed === undefined) throw new AdminFault('revision_mismatch')
      await deleteManagedSessions(trx, account)
      await actor.auditIn(trx, toSettings(removed), null)
    })
    return {}
  },

  async previewMemberRoles({ account, claims }, { knex }) {
    const provider = await findAccountProvider(knex, account)
    if (provider === undefined) throw new AdminFault('not_found')
    const proven = (await listDomains(knex, account)).filter(({ proven_at }) => proven_at !== null)
    return toRolePreview(readMember(claims, { ...provider, domains: proven.map(({ domain }) => domain) }))
  },

  async readTestSignIn({ account, test_id }, { knex, now }) {
    const result = await findSignInTest<z.output<(typeof memberSignInProcedures)['readTestSignIn']['output']>>(knex, {
      test_id,
      account,
      now: now(),
    })
    if (result === undefined) throw new AdminFault('not_found')
    return result
  },
} satisfies AdminHandlers<Extract<keyof typeof memberSignInProcedures, Names>>

async function readMemberSignIn(
  account: string,
  { knex, accountProviders }: Pick<Deps, 'knex' | 'accountProviders'>,
): Promise<z.input<typeof MemberSignIn>> {
  const [provider, domains] = await Promise.all([findAccountProvider(knex, account), listDomains(knex, account)])
  return {
    provider: provider === undefined ? null : toSettings(provider),
    redirect_uri: accountProviders.redirectUriOf(account),
    domains: domains.map(toSignInDomain),
    revision: provider?.revision ?? 0,
  }
}

/** The settings without the secret. */
function toSettings({
  issuer,
  client_id,
  client_authentication,
  scopes,
  trust_email,
  required,
  role_claim,
  role_rules,
  default_role,
}: AccountProviderRow) {
  return {
    issuer,
    client_id,
    client_authentication,
    scopes: [...scopes],
    trust_email,
    required,
    role_claim,
    role_rules: [...role_rules],
    default_role,
  }
}

/** @throws AdminFault `conflict` unless an owner has signed in at the provider, who can manage the account afterwards */
async function requireOwner(
  trx: Parameters<typeof listOwnersByProvider>[0],
  { account, issuer }: Pick<AccountProviderRow, 'account' | 'issuer'>,
  isSame: boolean,
): Promise<void> {
  if (isSame && (await listOwnersByProvider(trx, { account, issuer })).length > 0) return
  throw new AdminFault('conflict', { reason: createReason('no_owner_by_provider') })
}
