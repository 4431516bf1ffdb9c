import { z } from 'zod'
import type { ConvertUser } from '../record.ts'
import { OptionalText, toEmailList, toLinks, toTime } from './common.ts'

/** A user of `firebase auth:export` (JSON). Times are in ms, as text. */
const FirebaseUser = z.looseObject({
  localId: z.string(),
  email: OptionalText,
  emailVerified: z.boolean().nullish(),
  phoneNumber: OptionalText,
  createdAt: OptionalText,
  lastSignedInAt: OptionalText,
  providerUserInfo: z
    .array(
      z.looseObject({
        providerId: z.string(),
        rawId: z.string(),
        email: OptionalText,
        displayName: OptionalText,
        photoUrl: OptionalText,
      }),
    )
    .default([]),
})

export const convertFirebaseUser: ConvertUser = (given, providers) => {
  const user = FirebaseUser.parse(given)
  const accounts = user.providerUserInfo.map(({ providerId, rawId, email, displayName, photoUrl }) => ({
    provider: providerId,
    provider_user_id: rawId,
    profile: { full_name: displayName, image_url: photoUrl },
    // Only the address of the user is verified, not that of another account.
    email: toEmailList(email, user.emailVerified === true && email === user.email),
  }))
  return {
    primary_key: user.localId,
    created_at: toTime(toNumber(user.createdAt)),
    last_logged_in_at: toTime(toNumber(user.lastSignedInAt)) ?? null,
    links: toLinks(accounts, providers),
  }
}

function toNumber(ms: string | null | undefined): number | undefined {
  return ms ? Number(ms) : undefined
}
