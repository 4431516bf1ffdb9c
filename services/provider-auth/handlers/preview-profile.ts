import type { ProviderAuthHandlers } from '../deps.ts'
import { findClaim } from '../upstream/providers/find-claims.ts'
import { readClaims } from '../upstream/providers/read-claims.ts'

export const previewProfile: ProviderAuthHandlers['previewProfile'] = ({ definition: { protocol }, claims }) => {
  const { profile, email, phone, follow } = readClaims(protocol.claims, claims)
  const id = findClaim(claims, protocol.type === 'oidc' ? '/sub' : protocol.user_id)
  const userId = typeof id === 'number' ? String(id) : id
  return Promise.resolve({
    provider_user_id: typeof userId === 'string' && userId !== '' ? userId : null,
    profile: { ...profile },
    email: [...email],
    phone: [...phone],
    follow,
  })
}
