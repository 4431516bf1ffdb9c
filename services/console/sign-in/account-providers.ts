import type { AddressRules, GuardedFetch } from '#http-client'
import type { Encryptor } from '#runtime'
import type { AccountProviderRow } from '../store/account-providers.ts'
import { createOpenidProvider, type OpenidProvider } from './openid-provider.ts'

/** The OpenID Providers of accounts. */
export interface AccountProviders {
  /** Returns the provider of stored settings. It stays in memory until they change. */
  readonly open: (row: AccountProviderRow) => Promise<OpenidProvider>
  /** Creates the provider of settings that are not stored yet. */
  readonly create: (settings: ProviderSettings) => OpenidProvider
  readonly encryptSecret: (account: string, secret: string) => Buffer
  readonly decryptSecret: (row: Pick<AccountProviderRow, 'account' | 'client_secret_encrypted'>) => Promise<string>
  /** Whether the issuer's URL can be used, as far as it shows. */
  readonly isUrlAllowed: (url: string) => boolean
  /** To register at the provider. Each account has its own, so that no response can be used for another account. */
  readonly redirectUriOf: (account: string) => string
}

interface ProviderSettings {
  readonly account: string
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: string
  readonly client_authentication: AccountProviderRow['client_authentication']
  readonly scopes: readonly string[]
}

interface AccountProvidersOptions {
  readonly consoleUrl: string
  readonly encryptor: Pick<Encryptor, 'encrypt' | 'decrypt'>
  readonly fetch: GuardedFetch['fetch']
  readonly isUrlAllowed: AddressRules['isUrlAllowed']
  /** Whether the operator allows private addresses, also without TLS. */
  readonly allowsHttp: boolean
}

/** Path of the redirect URI of an account's provider. */
export const accountCallbackPath = '/sign-in/accounts/:account/callback'

export function createAccountProviders({
  consoleUrl,
  encryptor,
  fetch,
  isUrlAllowed,
  allowsHttp,
}: AccountProvidersOptions): AccountProviders {
  const open = new Map<string, { readonly revision: number; readonly provider: OpenidProvider }>()
  const redirectUriOf = (account: string) => `${consoleUrl}${accountCallbackPath.replace(':account', account)}`
  const create = ({ account, ...settings }: ProviderSettings) =>
    createOpenidProvider({ ...settings, redirect_uri: redirectUriOf(account) }, { fetch, allowsHttp })
  const decryptSecret: AccountProviders['decryptSecret'] = ({ account, client_secret_encrypted }) =>
    encryptor.decrypt(client_secret_encrypted, contextOf(account))
  return {
    async open(row) {
      const { account, issuer, client_id, client_authentication, scopes, revision } = row
      const known = open.get(account)
      if (known?.revision === revision) return known.provider
      const clientSecret = await decryptSecret(row)
      const provider = create({
        account,
        issuer,
        client_id,
        client_secret: clientSecret,
        client_authentication,
        scopes,
      })
      open.set(account, { revision, provider })
      return provider
    },
    create,
    encryptSecret: (account, secret) => encryptor.encrypt(secret, contextOf(account)),
    decryptSecret,
    isUrlAllowed,
    redirectUriOf,
  }
}

const contextOf = (account: string) => ['account_providers', account, 'client_secret']
