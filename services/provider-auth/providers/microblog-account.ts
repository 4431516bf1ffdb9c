import { z } from 'zod'
import { Count, type ProviderData } from '#contracts'
import type { Person } from './oauth2-description.ts'
import { text } from './text.ts'

const count = Count.nullable().catch(null).default(null)
const verified = z.boolean().optional().catch(undefined)

const Urls = z.object({ url: z.object({ urls: z.array(z.object({ expanded_url: text })) }) })
/** Every link of a profile is shortened; where it leads stands beside it. */
const entities = Urls.transform(({ url }) => url.urls.flatMap(({ expanded_url }) => expanded_url ?? []))
  .catch([])
  .default([])

const Told = z.object({
  name: text,
  description: text,
  location: text,
  url: text,
  entities,
  verified,
})

const ToldByV1 = Told.extend({
  id_str: z.string(),
  screen_name: text,
  profile_image_url_https: text,
  followers_count: count,
  friends_count: count,
  email: text,
})

const Metrics = z.object({ followers_count: count, following_count: count })
const noMetrics = { followers_count: null, following_count: null }

const ToldByV2 = z.object({
  data: Told.extend({
    id: z.string(),
    username: text,
    profile_image_url: text,
    public_metrics: Metrics.catch(noMetrics).default(noMetrics),
    confirmed_email: text,
  }),
})

/** An account as both versions tell it. */
interface Account extends z.output<typeof Told> {
  readonly user_name?: string | undefined
  readonly image_url?: string | undefined
  readonly followed_by: number | null
  readonly following: number | null
  readonly email?: string | undefined
}

/**
 * Reads `account/verify_credentials` of version 1.1.
 *
 * @throws ZodError
 */
export function readAccountOfV1(answer: unknown): Person {
  const told = ToldByV1.parse(answer)
  const account = {
    ...told,
    user_name: told.screen_name,
    image_url: told.profile_image_url_https,
    followed_by: told.followers_count,
    following: told.friends_count,
  }
  return { provider_user_id: told.id_str, data: toProviderData(account) }
}

/**
 * Reads `users/me` of version 2.
 *
 * @throws ZodError
 */
export function readAccountOfV2(answer: unknown): Person {
  const { data: told } = ToldByV2.parse(answer)
  const account = {
    ...told,
    user_name: told.username,
    image_url: told.profile_image_url,
    followed_by: told.public_metrics.followers_count,
    following: told.public_metrics.following_count,
    email: told.confirmed_email,
  }
  return { provider_user_id: told.id, data: toProviderData(account) }
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
    // Only an address that the person has confirmed is told at all.
    email: email === undefined ? [] : [{ email, verified: true }],
    phone: [],
  }
}
