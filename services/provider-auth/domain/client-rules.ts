import type { Client, RejectedField } from '#contracts'
import { refusalOfRedirectUri } from './redirect-uri.ts'

type Ruled = Pick<Client, 'kind' | 'pkce' | 'redirect_uris' | 'post_logout_redirect_uris'>

/** Fields with addresses that browsers are redirected to. The same rules apply to both. */
export const addressFields = ['redirect_uris', 'post_logout_redirect_uris'] as const

/** What may not be registered of a client, by field, for people. */
export function refusedFields({ kind, pkce, ...addresses }: Ruled): RejectedField[] {
  const refused = addressFields.flatMap((field) =>
    addresses[field].flatMap((address, place) => {
      const reason = refusalOfRedirectUri(address, kind)
      return reason === undefined ? [] : [{ field: `${field}.${place}`, reason }]
    }),
  )
  // Nothing else protects the code of a client that cannot keep a secret (RFC 9700 2.1.1).
  if (kind === 'public' && pkce === 'optional')
    refused.push({ field: 'pkce', reason: 'a public client must use PKCE: nothing else protects its codes' })
  return refused
}
