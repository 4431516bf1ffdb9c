import type { Client, RefusedField } from '#contracts'
import { refusalOfRedirectUri } from './redirect-uri.ts'

type Ruled = Pick<Client, 'kind' | 'pkce' | 'redirect_uris'>

/** What may not be registered of a client, by field, for people. */
export function refusedFields({ kind, pkce, redirect_uris }: Ruled): RefusedField[] {
  const refused = redirect_uris.flatMap((redirect_uri, place) => {
    const reason = refusalOfRedirectUri(redirect_uri, kind)
    return reason === undefined ? [] : [{ field: `redirect_uris.${place}`, reason }]
  })
  // Nothing else protects the code of a client that cannot keep a secret (RFC 9700 2.1.1).
  if (kind === 'public' && pkce === 'optional')
    refused.push({ field: 'pkce', reason: 'a public client must use PKCE: nothing else protects its codes' })
  return refused
}
