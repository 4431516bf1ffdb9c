import type { Simulator } from '../providers/provider.ts'
import { deriveUser } from '../simulated-user.ts'
import type { Dialect, Identity, OpenIdProvider } from './dialect.ts'
import { createGrants, type Grant, type Grants } from './grants.ts'
import { createProviderKeys, type ProviderKeys } from './keys.ts'

/** The authorization server of one provider. */
export interface OAuthServer extends Simulator {
  readonly dialect: Dialect
  readonly issuer: string
  readonly grants: Grants
  /** Undefined if the provider is not an OpenID Provider. */
  readonly openid: (OpenIdProvider & { readonly signingKeys: ProviderKeys }) | undefined
}

export async function createServer(dialect: Dialect, simulator: Simulator): Promise<OAuthServer> {
  const { name, basePath = '', lifetimes, openid } = dialect
  return {
    ...simulator,
    dialect,
    issuer: `${simulator.url}/${name}${basePath}`,
    grants: createGrants(name, lifetimes, simulator.scenarios),
    openid: openid && { ...openid, signingKeys: await createProviderKeys(openid.keys.alg, openid.keys.ids()) },
  }
}

/** The end user of a grant, as its client sees them. */
export function identify({ client_id, name }: Pick<Grant, 'client_id' | 'name'>, server: OAuthServer): Identity {
  const { dialect, clients } = server
  const client = clients.find(dialect.name, client_id)
  if (client === undefined) throw new Error('Only a registered client has a grant.')
  const user = deriveUser(name, dialect.name, server)
  return { client, user, sub: dialect.subject(user, client) }
}
