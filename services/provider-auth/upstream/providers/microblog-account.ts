import { z } from 'zod'
import { Count, type ProviderData } from '#contracts'
import type { ProviderUser } from './oauth2-description.ts'
import { optionalText } from './optional-text.ts'

const count = Count.nullable().catch(null).default(null)
const verified = z.boolean().optional().catch(undefined)

const Urls = z.object({ url: z.object({ urls: z.array(z.object({ expanded_url: optionalText })) }) })
/** All links in a profile are shortened; the expanded URL is next to them. */
const entities = Urls.transform(({ url }) => url.urls.flatMap(({ expanded_url }) => expanded_url ?? []))
  .catch([])
  .default([])

const AccountFields = z.object({
  name: optionalText,
  description: optionalText,
  location: optionalText,
  url: optionalText,
  entities,
  verified,
})

const AccountV1 = AccountFields.extend({
  id_str: z.string(),
  screen_name: optionalText,
  profile_image_url_https: optionalText,
  followers_count: count,
  friends_count: count,
  email: optionalText,
})

const Metrics = z.object({ followers_count: count, following_count: count })
const noMetrics = { followers_count: null, following_count: null }

const AccountV2 = z.object({
  data: AccountFields.extend({
    id: z.string(),
    username: optionalText,
    profile_image_url: optionalText,
    public_metrics: Metrics.catch(noMetrics).default(noMetrics),
    confirmed_email: optionalText,
  }),
})

/** The fields that both API versions have. */
interface Account extends z.output<typeof AccountFields> {
  readonly user_name?: string | undefined
  readonly image_url?: string | undefined
  readonly followed_by: number | null
  readonly following: number | null
  readonly email?: string | undefined
}

/**
 * Parses `account/verify_credentials` of version 1.1.
 *
 * @throws ZodError
 */
export function parseAccountV1(body: unknown): ProviderUser {
  const response = AccountV1.parse(body)
  const account = {
    ...response,
    user_name: response.screen_name,
    image_url: response.profile_image_url_https,
    followed_by: response.followers_count,
    following: response.friends_count,
  }
  return { provider_user_id: response.id_str, data: toProviderData(account) }
}

/**
 * Parses `users/me` of version 2.
 *
 * @throws ZodError
 */
export function parseAccountV2(body: unknown): ProviderUser {
  const { data: response } = AccountV2.parse(body)
  const account = {
    ...response,
    user_name: response.username,
    image_url: response.profile_image_url,
    followed_by: response.public_metrics.followers_count,
    following: response.public_metrics.following_count,
    email: response.confirmed_email,
  }
  return { provider_user_id: response.id, data: toProviderData(account) }
}

function toProviderData(account: Account): ProviderData {
  const { user_name, image_url, followed_by, following, email } = account
  const website = account.entities.length > 0 ? account.entities : account.url && [account.url]
  return {
    profile: {
      user_name,
      full_name: account.name,
      image_url,
      bio: account.description,
      location: account.location,
      ...(website && { website }),
      ...(user_name !== undefined && { uri: [`https://x.com/${user_name}`] }),
      ...(account.verified !== undefined && { verified: account.verified }),
    },
    follow: followed_by === null && following === null ? null : { followed_by, following },
    // The provider returns only confirmed addresses.
    email: email === undefined ? [] : [{ email, verified: true }],
    phone: [],
  }
}
