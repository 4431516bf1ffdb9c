import { z } from 'zod'
import type { ConvertUser } from '../record.ts'
import { OptionalText, toEmailList, toLinks, toTime } from './common.ts'

/** A user of SAP Customer Data Cloud's `accounts.search` with profile and identities. */
const SapUser = z.looseObject({
  UID: z.string(),
  created: OptionalText,
  lastLogin: OptionalText,
  profile: z
    .looseObject({
      firstName: OptionalText,
      lastName: OptionalText,
      nickname: OptionalText,
      photoURL: OptionalText,
      email: OptionalText,
    })
    .default({}),
  emails: z.looseObject({ verified: z.array(z.string()).default([]) }).optional(),
  identities: z
    .array(
      z.looseObject({
        provider: z.string(),
        providerUID: z.string(),
        firstName: OptionalText,
        lastName: OptionalText,
        nickname: OptionalText,
        photoURL: OptionalText,
        email: OptionalText,
      }),
    )
    .default([]),
})

export const convertSapUser: ConvertUser = (given, providers) => {
  const user = SapUser.parse(given)
  const verified = user.emails?.verified ?? []
  const accounts = user.identities.map(({ provider, providerUID, firstName, lastName, nickname, photoURL, email }) => ({
    provider,
    provider_user_id: providerUID,
    profile: { first_name: firstName, last_name: lastName, user_name: nickname, image_url: photoURL },
    email: toEmailList(email, email != null && verified.includes(email)),
  }))
  return {
    primary_key: user.UID,
    created_at: toTime(user.created),
    last_logged_in_at: toTime(user.lastLogin) ?? null,
    links: toLinks(accounts, providers),
  }
}
