import { z } from 'zod'
import { Provider, ProviderUserId, Site } from '#contracts'
import { EncryptedPayload } from '#database'

/** An end user's account at a login provider that the site no longer uses, with the tokens to revoke. */
export const ProviderGrant = z.object({
  site: Site,
  provider: Provider,
  provider_user_id: ProviderUserId,
  access_token: z.string().nullable(),
  access_secret: z.string().nullable(),
  refresh_token: z.string().nullable(),
  expires_at: z.coerce.date().nullable(),
})
export type ProviderGrant = z.infer<typeof ProviderGrant>

export const revocationTask = 'revoke_at_provider'

/** The job's payload. The tokens are encrypted, and deleted when the job succeeds or gives up. */
export const RevocationPayload = EncryptedPayload.extend({ provider: Provider, give_up_at: z.iso.datetime() })
