import type { Harness } from './harness.ts'
import type { TestProvider } from './openid-provider.ts'
import { openProviderBrowser, type ProviderBrowser } from './provider-browser.ts'

/** An account with an OpenID Provider and a proven domain, and an owner who signs in otherwise. */
export interface AccountWithProvider {
  readonly account: string
  readonly domain: string
  readonly owner: Awaited<ReturnType<Harness['createMemberClient']>>
  /** Replaces settings of the provider. */
  readonly save: (changes?: object) => ReturnType<Harness['anonymous']['send']>
  /** Signs a user in at the provider in a new browser. @returns the browser, and where the callback redirects */
  readonly signIn: (
    sub: string,
    claims?: Readonly<Record<string, unknown>>,
  ) => Promise<{ browser: ProviderBrowser; next: string | null }>
}

let accounts = 0

export async function createAccountWithProvider(
  harness: Harness,
  provider: TestProvider,
  settings: object = {},
): Promise<AccountWithProvider> {
  const account = `company-${++accounts}`
  const domain = `${account}.example`
  const owner = await harness.createMemberClient({ roles: { [account]: 'owner' } })
  const path = `/admin/v1/accounts/${account}/sign-in`
  let stored: object = {
    issuer: provider.url,
    client_id: 'console',
    client_secret: 'secret',
    role_claim: 'groups',
    role_rules: [
      { value: 'admins', role: 'owner' },
      { value: 'staff', role: 'viewer' },
    ],
    ...settings,
  }
  const save = async (changes: object = {}) => {
    stored = { ...stored, ...changes }
    const revision = Reflect.get(Object((await owner.send('GET', path)).body), 'revision')
    return owner.send('PUT', path, { body: stored, headers: { 'if-match': `"${revision}"` } })
  }
  await save()
  await owner.send('POST', `${path}/domains`, { body: { domain } })
  const operator = await harness.createMemberClient({ operator: true })
  await operator.send('POST', `${path}/domains/${domain}/confirmation`, { body: {} })
  return {
    account,
    domain,
    owner,
    save,
    async signIn(sub, claims = {}) {
      const email = `${sub}@${domain}`
      provider.user = { sub, claims: { email, email_verified: true, groups: ['staff'], name: sub, ...claims } }
      const browser = openProviderBrowser(harness)
      const next = await browser.comeBack(await browser.leave({ email }, '/sign-in/find'))
      return { browser, next }
    },
  }
}

/** The name of the reason with which the callback redirected to the sign-in page. */
export function getReason(next: string | null): string | null {
  return new URL(next ?? '', 'http://console.example').searchParams.get('reason')
}

/** The roles of the signed-in member. */
export async function readRoles(browser: ProviderBrowser): Promise<unknown> {
  const { body } = await browser.me()
  return Reflect.get(Object(Reflect.get(Object(body), 'member')), 'roles')
}
