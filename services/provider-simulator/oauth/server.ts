import { personNamed } from '../people.ts'
import type { Simulator } from '../providers/provider.ts'
import type { Dialect, Identity, OpenIdProvider } from './dialect.ts'
import { createGrants, type Grant, type Grants } from './grants.ts'
import { createKeys, type Keys } from './keys.ts'

/** The authorization server of one provider. */
export interface OAuthServer extends Simulator {
  readonly dialect: Dialect
  readonly issuer: string
  readonly grants: Grants
  /** Undefined where the provider is no OpenID Provider. */
  readonly openid: (OpenIdProvider & { readonly signingKeys: Keys }) | undefined
}

export async function createServer(dialect: Dialect, simulator: Simulator): Promise<OAuthServer> {
  const { name, basePath = '', lifetimes, openid } = dialect
  return {
    ...simulator,
    dialect,
    issuer: `${simulator.url}/${name}${basePath}`,
    grants: createGrants(name, lifetimes, simulator.scenarios),
    openid: openid && { ...openid, signingKeys: await createKeys(openid.keys.alg, openid.keys.ids()) },
  }
}

/** The end user of a grant, as its client sees them. */
export function identify({ client_id, name }: Pick<Grant, 'client_id' | 'name'>, server: OAuthServer): Identity {
  const { dialect, clients } = server
  const client = clients.find(dialect.name, client_id)
  if (client === undefined) throw new Error('Only a registered client has a grant.')
  const person = personNamed(name, dialect.name, server)
  return { client, person, sub: dialect.subject(person, client) }
}
