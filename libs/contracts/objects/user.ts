import { z } from 'zod'
import { Provider } from '../providers.ts'
import { Count, Identifier, LinkId, PrimaryKey, Timestamp } from '../scalars.ts'

/** The specification's User object without `profile_prohibited`, which the profile service stores. */
export const User = z.object({
  identifier: Identifier,
  primary_key: PrimaryKey.nullable(),
  mapped_at: Timestamp.nullable(),
  last_logged_in_at: Timestamp.nullable(),
  last_logged_in_provider: Provider.nullable(),
  login_count: Count,
  created_at: Timestamp,
})
export type User = z.infer<typeof User>

/** A linked account: an account at a login provider that is linked to a user. */
export const Link = z.object({
  link_id: LinkId,
  provider: Provider,
  provider_user_id: z.string(),
  created_at: Timestamp,
})
export type Link = z.infer<typeof Link>
