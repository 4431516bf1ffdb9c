import type { Simulator } from '../providers/provider.ts'
import { deriveUser } from '../simulated-user.ts'
import type { Dialect, Identity, IdTokenForm, OpenIdProvider } from './dialect.ts'
import { createGrants, type Grant, type Grants } from './grants.ts'
import { createProviderKeys, type ProviderKeys } from './keys.ts'

/** The authorization server of one provider. */
export interface OAuthServer extends Simulator {
  readonly dialect: Dialect
  readonly issuer: string
  readonly grants: Grants
  /** Undefined if the provider is not an OpenID Provider. */
  readonly openid: (OpenIdProvider & { readonly signingKeys: ProviderKeys }) | undefined
  /** How ID Tokens of its SDK are issued; undefined if it has none. */
  readonly sdk: SdkIssuer | undefined
}

interface SdkIssuer {
  readonly issuer: string
  readonly form: IdTokenForm
  readonly signingKeys: ProviderKeys
}

export async function createServer(dialect: Dialect, simulator: Simulator): Promise<OAuthServer> {
  const { name, basePath = '', lifetimes, openid } = dialect
  const issuer = dialect.issuer ?? `${simulator.url}/${name}${basePath}`
  const signingKeys = openid && (await createProviderKeys(openid.keys.alg, openid.keys.ids()))
  return {
    ...simulator,
    dialect,
    issuer,
    grants: createGrants(name, lifetimes, simulator.scenarios),
    openid: openid && signingKeys && { ...openid, signingKeys },
    sdk: await createSdkIssuer(dialect, { url: simulator.url, issuer, signingKeys }),
  }
}

async function createSdkIssuer(
  { name, openid, sdk }: Dialect,
  { url, issuer, signingKeys }: { url: string; issuer: string; signingKeys: ProviderKeys | undefined },
): Promise<SdkIssuer | undefined> {
  if (sdk?.openid !== undefined) {
    const { keys, idToken } = sdk.openid
    return { issuer: `${url}/${name}`, form: idToken, signingKeys: await createProviderKeys(keys.alg, keys.ids()) }
  }
  return sdk && openid && signingKeys && { issuer, form: { ...openid.idToken, ...sdk.idToken }, signingKeys }
}

/** The end user of a grant, as its client sees them. */
export function identify({ client_id, name }: Pick<Grant, 'client_id' | 'name'>, server: OAuthServer): Identity {
  const { dialect, clients } = server
  const client = clients.find(dialect.name, client_id)
  if (client === undefined) throw new Error('Only a registered client has a grant.')
  const user = deriveUser(name, dialect.name, server)
  return { client, user, sub: dialect.subject(user, client) }
}
