import { z } from 'zod'
import type { ConvertUser } from '../record.ts'
import { OptionalText, toEmailList, toLinks, toTime } from './common.ts'

/** A user of Auth0's export job "users-exports" (JSON). Exports name only the fields that were asked for. */
const Auth0User = z.looseObject({
  user_id: z.string(),
  email: OptionalText,
  email_verified: z.boolean().nullish(),
  phone_number: OptionalText,
  phone_verified: z.boolean().nullish(),
  name: OptionalText,
  given_name: OptionalText,
  family_name: OptionalText,
  picture: OptionalText,
  created_at: OptionalText,
  last_login: OptionalText,
  logins_count: z.int().nonnegative().nullish(),
  identities: z.array(z.looseObject({ provider: z.string(), user_id: z.union([z.string(), z.number()]) })).optional(),
})

export const convertAuth0User: ConvertUser = (given, providers) => {
  const user = Auth0User.parse(given)
  const [provider = '', ...id] = user.user_id.split('|')
  const identities = user.identities ?? [{ provider, user_id: id.join('|') }]
  const email = toEmailList(user.email, user.email_verified)
  const phone = user.phone_number ? [{ number: user.phone_number, verified: user.phone_verified === true }] : []
  const profile = {
    full_name: user.name,
    first_name: user.given_name,
    last_name: user.family_name,
    image_url: user.picture,
  }
  const accounts = identities.map((identity, index) => ({
    provider: identity.provider,
    provider_user_id: String(identity.user_id),
    // The fields of the user are those of the first identity.
    ...(index === 0 ? { profile, email, phone } : {}),
  }))
  return {
    // What the customer's systems know; our identifiers have at most 40 characters.
    primary_key: user.user_id,
    created_at: toTime(user.created_at),
    last_logged_in_at: toTime(user.last_login) ?? null,
    login_count: user.logins_count ?? 0,
    links: toLinks(accounts, providers),
  }
}
