import { z } from 'zod'
import {
  type ForeignAccount,
  type ForeignFormat,
  ForeignId,
  OptionalBoolean,
  OptionalMetadata,
  OptionalText,
  toEmailList,
  toLinks,
  toMetadata,
  toPhoneList,
  toTime,
} from './common.ts'

const Person = z.looseObject({
  email: OptionalText,
  email_verified: OptionalBoolean,
  phone_number: OptionalText,
  phone_verified: OptionalBoolean,
  name: OptionalText,
  given_name: OptionalText,
  family_name: OptionalText,
  picture: OptionalText,
})

/** A user of Auth0's export job "users-exports", or of its Management API. Exports name only the fields that were asked for. */
const Auth0User = Person.extend({
  user_id: z.string(),
  blocked: OptionalBoolean,
  created_at: OptionalText,
  last_login: OptionalText,
  user_metadata: OptionalMetadata,
  app_metadata: OptionalMetadata,
  logins_count: z.int().nonnegative().nullish(),
  identities: z
    .array(
      z.looseObject({
        provider: z.string(),
        user_id: ForeignId,
        connection: OptionalText,
        profileData: Person.nullish(),
      }),
    )
    .optional(),
})
type Identity = NonNullable<z.output<typeof Auth0User>['identities']>[number]

/** Protocols: which provider it is, only the name of the connection says. */
const protocols: ReadonlySet<string> = new Set(['oauth2', 'oidc', 'samlp'])

export const auth0: ForeignFormat = {
  title: 'Auth0',
  list: 'users',
  isUser: ({ user_id, identities }) =>
    typeof user_id === 'string' && (user_id.includes('|') || Array.isArray(identities)),
  convert(given, providers) {
    const user = Auth0User.parse(given)
    const { links, omitted } = toLinks(
      (user.identities ?? [toIdentity(user.user_id)]).map((identity, index) => toAccount(identity, index, user)),
      providers,
      toPerson(user),
    )
    return {
      record: {
        // What the customer's systems know; our identifiers have at most 40 characters.
        primary_key: user.user_id,
        created_at: toTime(user.created_at),
        last_logged_in_at: toTime(user.last_login) ?? null,
        login_count: user.logins_count ?? 0,
        ...toMetadata({ user_metadata: user.user_metadata, app_metadata: user.app_metadata }),
        links,
      },
      isBlocked: user.blocked === true,
      omitted,
    }
  },
}

/** The identity of a user whose export has no identities: `google-oauth2|123`, or `oauth2|line|U1` for a connection. */
function toIdentity(userId: string): Identity {
  const [provider = '', ...id] = userId.split('|')
  return { provider, user_id: id.join('|') }
}

/** @throws z.ZodError if the ID is of another connection */
function toAccount(
  { provider, user_id, connection, profileData }: Identity,
  index: number,
  user: z.output<typeof Person>,
): ForeignAccount {
  const [prefix = '', ...id] = user_id.split('|')
  const isOfProtocol = protocols.has(provider)
  const name = connection || (isOfProtocol && id.length > 0 ? prefix : provider)
  // The IDs of a connection by a protocol begin with its name.
  if (isOfProtocol && id.length > 0 && prefix !== name)
    throw new z.ZodError([
      {
        code: 'custom',
        path: ['identities', index, 'user_id'],
        input: user_id,
        message: `must begin with ${name}, the name of its connection`,
      },
    ])
  const sameAddress = profileData?.email === user.email ? user.email_verified : undefined
  return {
    names: isOfProtocol ? [name] : [name, provider],
    usual_names: [isOfProtocol ? name : provider],
    provider_user_id: isOfProtocol && id.length > 0 ? id.join('|') : user_id,
    ...(profileData == null
      ? {}
      : toPerson({ ...profileData, email_verified: profileData.email_verified ?? sameAddress })),
  }
}

function toPerson(person: z.output<typeof Person>) {
  const { name, given_name, family_name, picture } = person
  return {
    profile: { full_name: name, first_name: given_name, last_name: family_name, image_url: picture },
    email: toEmailList(person.email, person.email_verified),
    phone: toPhoneList(person.phone_number, person.phone_verified),
  }
}
