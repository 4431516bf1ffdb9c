import type { Call } from '#bus'
import type { LoginProvider } from '#contracts'
import type { Deps } from '../../deps.ts'
import { hasCredentials } from '../../store/credentials.ts'

/**
 * Whether users of a site have accounts of a provider that the site configured: with tokens, also of a login that is not
 * recorded yet, or imported without tokens. Then its user IDs must stay those of the same people.
 */
export async function isInUse(
  name: { readonly site: number; readonly provider: LoginProvider },
  { knex, identity }: Pick<Deps, 'knex' | 'identity'>,
  call: Call,
): Promise<boolean> {
  return (await hasCredentials(knex, name)) || (await identity.isProviderLinked(name, call)).is_linked
}
