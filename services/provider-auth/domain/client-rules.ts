import type { Client, RejectedField } from '#contracts'
import { findRedirectUriError } from './redirect-uri.ts'

type ClientSettings = Pick<Client, 'kind' | 'pkce' | 'redirect_uris' | 'post_logout_redirect_uris'>

/** Fields with URIs that browsers are redirected to. The same rules apply to both. */
export const uriFields = ['redirect_uris', 'post_logout_redirect_uris'] as const

/** The fields of a client that may not be registered, with reasons for the console. */
export function findRejectedFields({ kind, pkce, ...addresses }: ClientSettings): RejectedField[] {
  const rejected = uriFields.flatMap((field) =>
    addresses[field].flatMap((address, index) => {
      const reason = findRedirectUriError(address, kind)
      return reason === undefined ? [] : [{ field: `${field}.${index}`, reason }]
    }),
  )
  // Nothing else protects the code of a client that cannot keep a secret (RFC 9700 2.1.1).
  if (kind === 'public' && pkce === 'optional')
    rejected.push({
      field: 'pkce',
      reason: 'must not be optional for a public client, because only PKCE protects its codes',
    })
  return rejected
}
