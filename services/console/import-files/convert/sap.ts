import { z } from 'zod'
import {
  type ForeignFormat,
  ForeignId,
  OptionalBoolean,
  OptionalMetadata,
  OptionalText,
  toEmailList,
  toLinks,
  toMetadata,
  toTime,
} from './common.ts'
import { type ForeignConsent, toConsents } from './consents.ts'

const SapConsent = z.looseObject({
  isConsentGranted: z.boolean(),
  docVersion: z.number().nullish(),
  lastConsentModified: z.string(),
})

/** Consent statements are in objects of any depth, such as `terms.tos` or `privacy.shop.eu`. */
const Preferences = z.record(z.string(), z.unknown())

function listConsents(preferences: unknown, path: readonly string[] = []): ForeignConsent[] {
  const consent = SapConsent.safeParse(preferences).data
  if (consent !== undefined) {
    const { isConsentGranted, docVersion, lastConsentModified } = consent
    return [{ path, version: docVersion, accepted: isConsentGranted, answered_at: lastConsentModified }]
  }
  // A deeper object is none of the other system.
  if (path.length >= 8) return []
  const entries = Object.entries(Preferences.safeParse(preferences).data ?? {})
  return entries.flatMap(([name, value]) => listConsents(value, [...path, name]))
}

const person = {
  firstName: OptionalText,
  lastName: OptionalText,
  nickname: OptionalText,
  photoURL: OptionalText,
  email: OptionalText,
}

/** A user of SAP Customer Data Cloud's `accounts.search` with profile and identities. */
const SapUser = z.looseObject({
  UID: z.string(),
  created: OptionalText,
  lastLogin: OptionalText,
  isActive: OptionalBoolean,
  profile: z.looseObject(person).default({}),
  emails: z.looseObject({ verified: z.array(z.string()).default([]) }).optional(),
  preferences: z.unknown().optional(),
  /** What the customer stores. Only the schema of the site says which of it users can write: it becomes `app_metadata`. */
  data: OptionalMetadata,
  identities: z.array(z.looseObject({ ...person, provider: z.string(), providerUID: ForeignId })).default([]),
})

export const sap: ForeignFormat = {
  title: 'SAP Customer Data Cloud',
  list: 'results',
  isUser: ({ UID }) => typeof UID === 'string',
  convert(given, providers) {
    const user = SapUser.parse(given)
    const verified = user.emails?.verified ?? []
    const toPerson = ({ firstName, lastName, nickname, photoURL, email }: z.output<typeof SapUser>['profile']) => ({
      profile: { first_name: firstName, last_name: lastName, user_name: nickname, image_url: photoURL },
      email: toEmailList(email, email != null && verified.includes(email)),
    })
    const accounts = user.identities.map(({ provider, providerUID, ...identity }) => ({
      names: [provider] as const,
      provider_user_id: providerUID,
      ...toPerson(identity),
    }))
    const { links, omitted } = toLinks(accounts, providers, toPerson(user.profile))
    return {
      record: {
        primary_key: user.UID,
        created_at: toTime(user.created),
        last_logged_in_at: toTime(user.lastLogin) ?? null,
        ...toMetadata({ app_metadata: user.data }),
        ...toConsents(listConsents(user.preferences)),
        links,
      },
      isBlocked: user.isActive === false,
      omitted,
    }
  },
}
