import { z } from 'zod'
import { limits } from '../limits.ts'
import { Provider } from '../providers.ts'
import { Count, Identifier, PreciseTimestamp, PrimaryKey, ProviderUserId, Text } from '../scalars.ts'
import { areDocumentsUnique, ConsentAnswer } from './consent.ts'
import { isMetadataWithinLimit, MetadataPart } from './metadata.ts'
import { ProviderData } from './profile.ts'
import { UserBlock } from './user-block.ts'

/** A time of a user record; lists and counts of users begin with 1970. */
const Time = PreciseTimestamp.refine((time) => Date.parse(time) >= 0, 'must not be before 1970')
const token = Text.min(1).max(8_192).nullable().default(null)

/** The tokens that a login provider issued; they are stored encrypted. */
const RecordedCredential = z.strictObject({
  access_token: token,
  /** OAuth 1.0a secret of the microblog provider. */
  access_secret: token,
  refresh_token: token,
  expires_at: Time.nullable().default(null),
  /** The tokens of a native app. */
  client_access_token: token,
  client_access_secret: token,
  client_refresh_token: token,
  client_expires_at: Time.nullable().default(null),
  created_at: Time.optional(),
  updated_at: Time.optional(),
})

/** What the login provider supplied, and when; by default at the last login. */
const RecordedData = z.strictObject({
  profile: ProviderData.shape.profile.strict().default({}),
  follow: ProviderData.shape.follow.default(null),
  email: ProviderData.shape.email.default([]),
  phone: ProviderData.shape.phone.default([]),
  not_obtained: ProviderData.shape.not_obtained,
  obtained_at: Time.optional(),
})

const RecordedLink = z.strictObject({
  provider: Provider,
  provider_user_id: ProviderUserId,
  /** When the account was linked; by default when the user was created. */
  created_at: Time.optional(),
  credential: RecordedCredential.optional(),
  data: RecordedData.optional(),
  /** Messaging only. */
  friendship_status: z.boolean().optional(),
  friendship_status_updated_at: Time.optional(),
})

const RecordedBlock = z.strictObject({
  since: Time.optional(),
  until: Time.nullable().default(null),
  reason: UserBlock.shape.reason.default(null),
  by: UserBlock.shape.by.default('import'),
})

/** An answer of the user to a document of the site, and when it was given. */
const RecordedConsent = z.strictObject({ ...ConsentAnswer.shape, answered_at: Time })

/**
 * A user in the files of imports and exports, a line of JSON each. Only what is known is needed; an empty object creates a
 * user.
 */
export const UserRecord = z
  .strictObject({
    /** Without one, the user gets a new one. */
    identifier: Identifier.optional(),
    primary_key: PrimaryKey.nullable().default(null),
    mapped_at: Time.nullable().optional(),
    created_at: Time.optional(),
    last_logged_in_at: Time.nullable().default(null),
    last_logged_in_provider: Provider.nullable().default(null),
    login_count: Count.max(2 ** 31 - 1).default(0),
    /** An import blocks users; without it, a blocked user stays blocked. */
    block: RecordedBlock.optional(),
    profile_prohibited: z.boolean().default(false),
    /** When the combined profile was last updated, and how often. */
    profile_updated_at: Time.nullable().optional(),
    profile_update_count: Count.max(2 ** 31 - 1).optional(),
    /** The metadata of the user, at most 8 kB of JSON for both parts together. */
    user_metadata: MetadataPart.optional(),
    app_metadata: MetadataPart.optional(),
    /** The latest answer to each document. */
    consents: z
      .array(RecordedConsent)
      .max(limits.consents_per_user)
      .refine(areDocumentsUnique, 'must not have two answers to one document')
      .optional(),
    links: z.array(RecordedLink).max(20).default([]),
  })
  .superRefine(
    ({ links, last_logged_in_at, last_logged_in_provider, user_metadata = {}, app_metadata = {} }, context) => {
      if (!isMetadataWithinLimit({ user_metadata, app_metadata }))
        context.addIssue({
          code: 'custom',
          path: [Object.keys(app_metadata).length === 0 ? 'user_metadata' : 'app_metadata'],
          message: `must have at most ${limits.metadata_bytes} bytes of JSON, together with the other part of the metadata`,
        })
      const providers = links.map(({ provider }) => provider)
      for (const [index, provider] of providers.entries())
        if (providers.indexOf(provider) !== index)
          context.addIssue({
            code: 'custom',
            path: ['links', index, 'provider'],
            message: 'must not be linked twice: a user has one account of each provider',
          })
      if (last_logged_in_provider !== null && last_logged_in_at === null)
        context.addIssue({
          code: 'custom',
          path: ['last_logged_in_provider'],
          message: 'must not be given without last_logged_in_at',
        })
    },
  )
export type UserRecord = z.output<typeof UserRecord>

/** What an import does with a user who exists: with the identifier, the primary_key or an account of the record. */
export const conflictRules = ['fail', 'skip', 'merge', 'replace'] as const
export const ConflictRule = z.enum(conflictRules)
export type ConflictRule = z.output<typeof ConflictRule>

/** Why an import rejects a record whose fields are valid. */
export const importRejections = [
  'user_exists',
  'matches_several_users',
  'account_of_provider_linked',
  'primary_key_differs',
  'metadata_invalid',
] as const

/** What became of a record. */
export const ImportOutcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.enum(['created', 'merged', 'replaced', 'skipped']) }),
  z.object({
    outcome: z.literal('rejected'),
    reason: z.enum(importRejections),
    /** For `metadata_invalid`: the part, and the result of `formatViolation`. */
    violation: z.object({ field: z.string(), reason: z.string() }).optional(),
  }),
])
export type ImportOutcome = z.output<typeof ImportOutcome>
