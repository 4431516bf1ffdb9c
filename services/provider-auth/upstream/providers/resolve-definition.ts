import type { Knex } from 'knex'
import { isBuiltIn, type LoginProvider, limits, type ProviderDefinition, type RejectedField } from '#contracts'
import type { Deps } from '../../deps.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { countConfigured } from '../../store/settings-revisions.ts'
import { isPrivateKeyToSign } from './private-key.ts'
import { reduceSvg } from './reduce-svg.ts'

type Described = Pick<SiteProviderSettings, 'definition' | 'endpoints'>

interface EnteredDefinition {
  readonly provider: LoginProvider
  readonly definition?: ProviderDefinition | undefined
  readonly client_secret?: string | undefined
}

interface ResolvedDefinition {
  /** Undefined if the stored ones stay. */
  readonly described?: Described
  readonly rejected: RejectedField[]
}

/** The entered definition of a provider that is not built in, with its addresses. */
export async function resolveDefinition(
  { provider, definition, client_secret }: EnteredDefinition,
  { names, discoverEndpoints }: Pick<Deps, 'names' | 'discoverEndpoints'>,
): Promise<ResolvedDefinition> {
  if (isBuiltIn(provider)) {
    const reason = 'is not possible for a provider that is part of the product'
    return { rejected: definition === undefined ? [] : [{ field: 'definition', reason }] }
  }
  if (!names.isFree(provider)) return { rejected: [{ field: 'provider', reason: 'is the name of another provider' }] }
  if (definition === undefined) return { rejected: [] }
  const { protocol } = definition
  if (
    client_secret !== undefined &&
    protocol.client_authentication === 'private_key_jwt' &&
    !(await isPrivateKeyToSign(client_secret))
  )
    return { rejected: [{ field: 'client_secret', reason: 'must be a private key, PKCS #8 in PEM' }] }
  const reduced = reduceLogo(definition)
  if (reduced === undefined)
    return { rejected: [{ field: 'definition.logo', reason: 'is no SVG document with shapes' }] }
  const discovered = await discoverEndpoints(definition)
  if ('rejected' in discovered) return { rejected: discovered.rejected }
  return { described: { definition: reduced, endpoints: discovered.endpoints }, rejected: [] }
}

/** The definition with an SVG logo that has shapes only; undefined if it has none. */
function reduceLogo(definition: ProviderDefinition): ProviderDefinition | undefined {
  const [type = '', base64 = ''] = definition.logo?.split(',') ?? []
  if (!type.includes('svg')) return definition
  const svg = reduceSvg(Buffer.from(base64, 'base64').toString('utf8'))
  return svg === undefined ? undefined : { ...definition, logo: `${type},${Buffer.from(svg).toString('base64')}` }
}

/**
 * A definition is required, and must not name other end users than before while users have accounts of it: their
 * user IDs would become those of other people.
 */
export async function findRejectedDefinition(
  trx: Knex.Transaction,
  name: { readonly site: number; readonly provider: LoginProvider },
  before: Described | undefined,
  { definition }: Described,
  isUsed: boolean,
): Promise<RejectedField[]> {
  if (isBuiltIn(name.provider)) return []
  if (definition === null) return [{ field: 'definition', reason: 'is required for a provider that is not built in' }]
  if (before === undefined || before.definition === null) {
    // A login was completed while an earlier provider of this name was removed.
    if (isUsed)
      return [{ field: 'provider', reason: 'is a name under which users have logged in elsewhere. Use another name' }]
    const count = await countConfigured(trx, name.site)
    const reason = `is one too many: a site can configure ${limits.configured_providers}`
    return count < limits.configured_providers ? [] : [{ field: 'provider', reason }]
  }
  if (nameUsers(before.definition) === nameUsers(definition) || !isUsed) return []
  const reason = 'names other users than before, and users have logged in with it. Add a provider with another name'
  return [{ field: 'definition.protocol', reason }]
}

/** What a provider's user IDs depend on. */
function nameUsers({ protocol }: ProviderDefinition): string {
  return protocol.type === 'oidc' ? protocol.issuer : `${protocol.endpoints.user} ${protocol.user_id}`
}
