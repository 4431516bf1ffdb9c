import { z } from 'zod'
import type { ConvertUser } from '../record.ts'
import { OptionalText, toEmailList, toLinks, toTime } from './common.ts'

/** A user of a Keycloak realm export (`kc.sh export`). */
const KeycloakUser = z.looseObject({
  id: z.string(),
  username: OptionalText,
  email: OptionalText,
  emailVerified: z.boolean().nullish(),
  firstName: OptionalText,
  lastName: OptionalText,
  createdTimestamp: z.number().nullish(),
  federatedIdentities: z
    .array(z.looseObject({ identityProvider: z.string(), userId: z.string(), userName: OptionalText }))
    .default([]),
})

export const convertKeycloakUser: ConvertUser = (given, providers) => {
  const user = KeycloakUser.parse(given)
  const profile = { user_name: user.username, first_name: user.firstName, last_name: user.lastName }
  const email = toEmailList(user.email, user.emailVerified)
  const accounts = user.federatedIdentities.map(({ identityProvider, userId }, index) => ({
    provider: identityProvider,
    provider_user_id: userId,
    ...(index === 0 ? { profile, email } : {}),
  }))
  return {
    primary_key: user.id,
    created_at: toTime(user.createdTimestamp),
    links: toLinks(accounts, providers),
  }
}
