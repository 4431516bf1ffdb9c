import type { Deps } from '../deps.ts'
import { isEmailVerified, readMember } from '../domain/member-claims.ts'
import { toRolePreview } from '../domain/role-preview.ts'
import { listDomains } from '../store/account-domains.ts'
import { findAccountProvider } from '../store/account-providers.ts'
import { insertSignInTest } from '../store/sign-in-tests.ts'
import type { ProviderAuthentication } from './openid-provider.ts'

/** Stores what a test sign-in would give, without signing anyone in. Of the claims, only their names are stored. */
export async function storeTestResult(
  test: { readonly test_id: string; readonly account: string; readonly authentication: ProviderAuthentication },
  { knex, now }: Pick<Deps, 'knex' | 'now'>,
): Promise<void> {
  const { test_id, account, authentication } = test
  const { claims, subject } = authentication
  const provider = await findAccountProvider(knex, account)
  if (provider === undefined) return
  const proven = (await listDomains(knex, account)).filter(({ proven_at }) => proven_at !== null)
  const claimed = readMember(claims, { ...provider, domains: proven.map(({ domain }) => domain) })
  const result = {
    ...toRolePreview(claimed),
    subject,
    email: typeof claims.email === 'string' ? claims.email : null,
    email_verified: isEmailVerified(claims, provider.issuer),
    claims: Object.keys(claims).sort(),
  }
  await insertSignInTest(knex, { test_id, account, result, now: now() })
}
