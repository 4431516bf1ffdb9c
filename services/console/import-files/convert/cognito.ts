import { z } from 'zod'
import { parseExactJson } from '#contracts'
import {
  type ForeignFormat,
  ForeignId,
  OptionalBoolean,
  toEmailList,
  toLinks,
  toMetadata,
  toPhoneList,
  toTime,
} from './common.ts'

const AttributeList = z.array(z.looseObject({ Name: z.string(), Value: z.string().default('') }))
const Time = z.union([z.string(), z.number()]).nullish()

/** A user of `aws cognito-idp list-users` or `admin-get-user` (JSON). */
const CognitoUser = z.looseObject({
  Username: z.string(),
  Attributes: AttributeList.default([]),
  UserAttributes: AttributeList.default([]),
  UserCreateDate: Time,
  Enabled: OptionalBoolean,
})

/** The attribute `identities`: JSON as text. */
const Identities = z
  .string()
  .transform((text, context) => {
    try {
      return parseExactJson(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON' })
      return z.NEVER
    }
  })
  .pipe(z.array(z.looseObject({ providerName: z.string(), userId: ForeignId, dateCreated: Time })))

export const cognito: ForeignFormat = {
  title: 'Amazon Cognito',
  list: 'Users',
  isUser: ({ Username, Attributes, UserAttributes }) =>
    typeof Username === 'string' && (Array.isArray(Attributes) || Array.isArray(UserAttributes)),
  convert(given, providers) {
    const user = CognitoUser.parse(given)
    const attributes = new Map([...user.Attributes, ...user.UserAttributes].map(({ Name, Value }) => [Name, Value]))
    const identities = readIdentities(user)
    const accounts = identities.map(({ providerName, userId, dateCreated }) => ({
      names: [providerName] as const,
      provider_user_id: userId,
      created_at: toTime(dateCreated == null || dateCreated === '' ? undefined : Number(dateCreated)),
    }))
    const isVerified = (name: string) => attributes.get(name)?.toLowerCase() === 'true'
    const { links, omitted } = toLinks(accounts, providers, {
      profile: {
        full_name: attributes.get('name'),
        first_name: attributes.get('given_name'),
        last_name: attributes.get('family_name'),
        image_url: attributes.get('picture'),
      },
      email: toEmailList(attributes.get('email'), isVerified('email_verified')),
      phone: toPhoneList(attributes.get('phone_number'), isVerified('phone_number_verified')),
    })
    const record = {
      primary_key: attributes.get('sub') || user.Username,
      created_at: toTime(toMilliseconds(user.UserCreateDate)),
      ...toMetadata({ app_metadata: listCustomAttributes(attributes) }),
      links,
    }
    return { record, isBlocked: user.Enabled === false, omitted }
  },
}

/** @throws z.ZodError with the path of the attribute */
function readIdentities({ Attributes, UserAttributes }: z.output<typeof CognitoUser>): z.output<typeof Identities> {
  const field = UserAttributes.length > 0 ? 'UserAttributes' : 'Attributes'
  const attributes = UserAttributes.length > 0 ? UserAttributes : Attributes
  const at = attributes.findIndex(({ Name, Value }) => Name === 'identities' && Value !== '')
  const { data, error } = Identities.safeParse(attributes[at]?.Value ?? '[]')
  if (error !== undefined) throw new z.ZodError(error.issues.map((issue) => ({ ...issue, path: [field, at, 'Value'] })))
  return data
}

/** The command prints ISO 8601 or, in its first version, Unix times in seconds; Python separates date and time by a space. */
function toMilliseconds(date: string | number | null | undefined): string | number | null | undefined {
  return typeof date === 'number' ? date * 1_000 : date
}

/** The attributes that the customer defined, without their prefix; which of them users may write, only the app client says. */
function listCustomAttributes(attributes: ReadonlyMap<string, string>): Record<string, string> | undefined {
  const custom = [...attributes].filter(([name]) => name.startsWith('custom:'))
  return custom.length === 0
    ? undefined
    : Object.fromEntries(custom.map(([name, value]) => [name.slice('custom:'.length), value]))
}
