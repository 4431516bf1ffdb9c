import { useTexts } from '../../texts/index.tsx'
import { type ClientValues, parseAddressFields } from './client-fields.tsx'

/** From the loosest to the strictest. */
const pkceRules = ['optional', 'required', 'S256'] as const satisfies readonly ClientValues['pkce'][]

/** Returns a function that lists which requests of a client end or fail after a change. */
export function useClientConsequences(): (before: ClientValues, after: ClientValues) => readonly string[] {
  const { clients: t } = useTexts('clients')
  return (before, after) => {
    const kept = parseAddressFields(after).redirect_uris
    const removed = parseAddressFields(before).redirect_uris.filter((uri) => !kept.includes(uri))
    const types = before.response_types.filter((type) => !after.response_types.includes(type))
    const isStricter = pkceRules.indexOf(after.pkce) > pkceRules.indexOf(before.pkce)
    return [
      ...(removed.length > 0 ? [t.ends_redirect({ uris: removed.join(', ') })] : []),
      ...types.map((type) => t.ends_flow({ type })),
      ...(isStricter ? [t.ends_pkce({ method: after.pkce })] : []),
      ...(after.id_token_alg === before.id_token_alg ? [] : [t.ends_alg({ alg: before.id_token_alg })]),
    ]
  }
}
