import { z } from 'zod'
import type { ConvertUser } from '../record.ts'
import { toEmailList, toLinks, toTime } from './common.ts'

/** A user of `aws cognito-idp list-users` (JSON). */
const CognitoUser = z.looseObject({
  Username: z.string(),
  Attributes: z.array(z.looseObject({ Name: z.string(), Value: z.string().default('') })).default([]),
  UserCreateDate: z.union([z.string(), z.number()]).optional(),
})

/** The attribute `identities`: JSON as text. */
const Identities = z.array(
  z.looseObject({
    providerName: z.string(),
    userId: z.string(),
    dateCreated: z.union([z.string(), z.number()]).nullish(),
  }),
)

export const convertCognitoUser: ConvertUser = (given, providers) => {
  const user = CognitoUser.parse(given)
  const attributes = new Map(user.Attributes.map(({ Name, Value }) => [Name, Value]))
  const identities = attributes.get('identities')
  const profile = {
    full_name: attributes.get('name'),
    first_name: attributes.get('given_name'),
    last_name: attributes.get('family_name'),
    image_url: attributes.get('picture'),
  }
  const email = toEmailList(attributes.get('email'), attributes.get('email_verified') === 'true')
  const accounts = (identities === undefined ? [] : Identities.parse(JSON.parse(identities))).map(
    ({ providerName, userId, dateCreated }, index) => ({
      provider: providerName,
      provider_user_id: userId,
      created_at: toTime(dateCreated == null ? undefined : Number(dateCreated)),
      ...(index === 0 ? { profile, email } : {}),
    }),
  )
  return {
    primary_key: attributes.get('sub') ?? user.Username,
    created_at: toTime(toMilliseconds(user.UserCreateDate)),
    links: toLinks(accounts, providers),
  }
}

/** The command prints ISO 8601 or, in its first version, Unix times in seconds. */
function toMilliseconds(date: string | number | undefined): string | number | undefined {
  return typeof date === 'number' ? date * 1_000 : date
}
