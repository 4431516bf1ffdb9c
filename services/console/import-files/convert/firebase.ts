import { z } from 'zod'
import { parseExactJson } from '#contracts'
import {
  type ForeignAccount,
  type ForeignFormat,
  ForeignId,
  isOwnAccount,
  Milliseconds,
  OptionalBoolean,
  OptionalMetadata,
  OptionalText,
  toEmailList,
  toLinks,
  toMetadata,
  toPhoneList,
  toTime,
} from './common.ts'

const person = { email: OptionalText, displayName: OptionalText, phoneNumber: OptionalText }

/** Custom claims, which only servers write. Exports have them as JSON text. */
const CustomClaims = z
  .string()
  .nullish()
  .transform((text, context) => {
    try {
      return text == null || text === '' ? undefined : parseExactJson(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON' })
      return z.NEVER
    }
  })
  .pipe(OptionalMetadata)

/**
 * A user of `firebase auth:export` (JSON), or of the emulator and the REST API, which call the last login `lastLoginAt`. Times are in
 * ms, as text.
 */
const ExportedUser = z
  .looseObject({
    ...person,
    localId: z.string(),
    emailVerified: OptionalBoolean,
    photoUrl: OptionalText,
    disabled: OptionalBoolean,
    customAttributes: CustomClaims,
    createdAt: Milliseconds,
    lastSignedInAt: Milliseconds,
    lastLoginAt: Milliseconds,
    providerUserInfo: z
      .array(z.looseObject({ ...person, providerId: z.string(), rawId: ForeignId, photoUrl: OptionalText }))
      .default([]),
  })
  .transform(({ localId, createdAt, lastSignedInAt, lastLoginAt, providerUserInfo, photoUrl, ...user }) => ({
    ...user,
    claims: user.customAttributes,
    uid: localId,
    image_url: photoUrl,
    created_at: toTime(createdAt),
    last_logged_in_at: toTime(lastSignedInAt ?? lastLoginAt),
    accounts: providerUserInfo.map(({ rawId, ...account }) => ({
      ...account,
      uid: rawId,
      image_url: account.photoUrl,
    })),
  }))

/** A user of the Admin SDK's `listUsers`, as its `toJSON` writes it. */
const ListedUser = z
  .looseObject({
    ...person,
    uid: z.string(),
    emailVerified: OptionalBoolean,
    photoURL: OptionalText,
    disabled: OptionalBoolean,
    customClaims: OptionalMetadata,
    metadata: z.looseObject({ creationTime: OptionalText, lastSignInTime: OptionalText }).nullish(),
    providerData: z
      .array(z.looseObject({ ...person, providerId: z.string(), uid: ForeignId, photoURL: OptionalText }))
      .default([]),
  })
  .transform(({ metadata, providerData, photoURL, customClaims, ...user }) => ({
    ...user,
    claims: customClaims,
    image_url: photoURL,
    created_at: toTime(metadata?.creationTime),
    last_logged_in_at: toTime(metadata?.lastSignInTime),
    accounts: providerData.map((account) => ({ ...account, image_url: account.photoURL })),
  }))

export const firebase: ForeignFormat = {
  title: 'Firebase Authentication',
  list: 'users',
  isUser: ({ localId, uid, providerData, metadata }) =>
    typeof localId === 'string' ||
    (typeof uid === 'string' && (Array.isArray(providerData) || typeof metadata === 'object')),
  convert(given, providers) {
    const Schema = Object.hasOwn(Object(given), 'localId') ? ExportedUser : ListedUser
    const user = Schema.parse(given)
    const accounts = user.accounts.map(
      ({ providerId, uid, email, displayName, image_url }): ForeignAccount => ({
        // OpenID Connect providers are `oidc.` and a name that the project chose.
        names: [providerId, providerId.replace(/^oidc\./, '')],
        provider_user_id: uid,
        profile: { full_name: displayName, image_url },
        // Only the address of the user is verified, not that of another account.
        email: toEmailList(email, user.emailVerified === true && email === user.email),
      }),
    )
    const { links, omitted } = toLinks([...accounts, ...toAccountOfUid(user.uid, accounts)], providers, {
      profile: { full_name: user.displayName, image_url: user.image_url },
      email: toEmailList(user.email, user.emailVerified),
      phone: toPhoneList(user.phoneNumber, true),
    })
    return {
      record: {
        primary_key: user.uid,
        created_at: user.created_at,
        last_logged_in_at: user.last_logged_in_at ?? null,
        ...toMetadata({ app_metadata: user.claims }),
        links,
      },
      isBlocked: user.disabled === true,
      omitted,
    }
  },
}

/** An application that signs tokens of its own can have the account in the user's ID only, such as `line:U1`. */
function toAccountOfUid(uid: string, others: readonly ForeignAccount[]): ForeignAccount[] {
  const [, prefix, id] = /^([a-z][a-z0-9_.-]*:)(.+)$/i.exec(uid) ?? []
  return prefix === undefined || id === undefined || others.some((other) => !isOwnAccount(other))
    ? []
    : [{ names: [prefix], provider_user_id: id }]
}
