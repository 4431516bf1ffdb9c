import { z } from 'zod'
import type { loginProviders } from './providers.ts'
import { Text } from './scalars.ts'

/** The social provider's permissions that open more of the profile and need its approval. */
export const socialPermissions = [
  'user_age_range',
  'user_birthday',
  'user_gender',
  'user_hometown',
  'user_link',
  'user_location',
] as const

/** What a site's settings of a provider hold besides client id and secret, by provider; every value is text. */
export const providerOptions = {
  messaging: z.strictObject({
    /** The channel secret of the Messaging API channel whose webhook tells of new and lost friends. */
    webhook_secret: Text.min(1).max(255).optional(),
  }),
  portal: z.strictObject({}),
  social: z.strictObject({
    /** Permissions that the provider approved for the site's application beyond the usual, separated by commas. */
    permissions: z
      .string()
      .refine(
        (names) => names.split(',').every((name) => socialPermissions.some((known) => known === name)),
        'names unknown permissions',
      )
      .optional(),
  }),
  search: z.strictObject({}),
  /** The client secret is the private key, PEM of PKCS #8, with which client secrets are minted. */
  device: z.strictObject({
    team_id: Text.regex(/^[A-Z0-9]{10}$/, 'must be 10 capital letters and digits'),
    key_id: Text.regex(/^[A-Z0-9]{10}$/, 'must be 10 capital letters and digits'),
    /** The primary app id of the client id's group, where the provider addresses its notices to that. */
    app_id: Text.min(1).max(255).optional(),
  }),
  microblog: z.strictObject({ protocol: z.enum(['oauth1', 'oauth2']).default('oauth1') }),
} as const satisfies Record<(typeof loginProviders)[number], z.ZodType>

export type ProviderOptions = Readonly<Record<string, string | undefined>>

/** Options that are secrets: never told to anybody, only whether they are there. */
export const secretOptions: Readonly<Record<(typeof loginProviders)[number], readonly string[]>> = {
  messaging: ['webhook_secret'],
  portal: [],
  social: [],
  search: [],
  device: [],
  microblog: [],
}
