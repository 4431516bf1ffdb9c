import { z } from 'zod'
import { Slug, Text, Timestamp } from '../scalars.ts'
import { NoticeKind } from './notices.ts'
import { roles } from './procedure.ts'

/** Base64url as in WebAuthn. The length is limited because the sender is not authenticated. */
const Bytes = z.base64url().max(16_384)
const CredentialId = z.base64url().min(1).max(1_400)
const CredentialName = z.object({
  id: CredentialId,
  type: z.string(),
  transports: z.array(z.string()).exactOptional(),
})

const credential = {
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  /** The console requests no extensions, so their results are ignored. */
  clientExtensionResults: z.object({}).default({}),
}

/** `AuthenticationResponseJSON` (Web Authentication Level 3, 5.1.8). */
export const PasskeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: z.base64url().max(100).exactOptional(),
  }),
})
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>

/** `RegistrationResponseJSON` (Web Authentication Level 3, 5.1.8). */
export const NewPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    transports: z
      .array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']))
      .exactOptional()
      .catch([]),
  }),
})
export type NewPasskey = z.infer<typeof NewPasskey>

/** `PublicKeyCredentialRequestOptionsJSON`, passed to the browser unchanged. */
const RequestOptions = z.object({
  challenge: z.string(),
  timeout: z.int().exactOptional(),
  rpId: z.string().exactOptional(),
  allowCredentials: z.array(CredentialName).exactOptional(),
  userVerification: z.enum(['required', 'preferred', 'discouraged']).exactOptional(),
})

/** `PublicKeyCredentialCreationOptionsJSON`, passed to the browser unchanged. */
const CreationOptions = z.object({
  rp: z.object({ id: z.string().exactOptional(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.string() })),
  timeout: z.int().exactOptional(),
  excludeCredentials: z.array(CredentialName).exactOptional(),
  authenticatorSelection: z
    .object({
      residentKey: z.enum(['discouraged', 'preferred', 'required']).exactOptional(),
      requireResidentKey: z.boolean().exactOptional(),
      userVerification: z.enum(['required', 'preferred', 'discouraged']).exactOptional(),
    })
    .exactOptional(),
  attestation: z.enum(['direct', 'enterprise', 'indirect', 'none']).exactOptional(),
})

/** The part of a link after `#`: `<console>/sign-in#<link>`. */
const LinkToken = z.string().regex(/^[\w-]{43}$/)

/** What the link `<console>/notices/confirm#<link>` confirms. */
const NoticeLink = z.object({
  account: Slug,
  /** Of the channel. */
  name: z.string(),
  email_address: z.string(),
  kinds: z.array(NoticeKind),
  sites: z.array(Slug).nullable(),
  /** Null: it is confirmed now. */
  confirm_until: Timestamp.nullable(),
})
const ReturnPath = z
  .string()
  .max(2_048)
  .regex(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/, 'must be a path of the console')
  .default('/')

/** A route of the console's sign-in. */
export interface SignInRoute {
  readonly path: string
  readonly summary: string
  readonly input: z.ZodObject
  readonly output: z.ZodType
}

/**
 * Sign-in to the web console. Every route is a POST of JSON with the header `X-Console: 1` from the console's own page, and returns
 * errors like the Admin API. A challenge expires after five minutes, and works once, in the browser that requested it.
 *
 * | Purpose | Request | Browser | Result |
 * |---|---|---|---|
 * | Sign in | `signInOptions` | `navigator.credentials.get` | `signIn` sets the session cookie |
 * | Use a link | `openLink` | – | `next`: signed in, `join`, or add a passkey with the link's token |
 * | Add a passkey | `passkeyOptions` | `navigator.credentials.create` | `addPasskey`; with a link it also sets the session cookie |
 * | Use the provider of an account | `findSignIn` | navigates to `location` | the browser returns signed in |
 * | Use the operator's own provider | `signInAtProvider` | navigates to `location` | the browser returns signed in or confirmed |
 * | Confirm an address for notices | `openNoticeLink` | – | `confirmNotices`; both without a session |
 * | Confirm a sensitive change | `confirmOptions` | `navigator.credentials.get` | `confirm`: valid for five minutes |
 */
export const signInRoutes = {
  signInOptions: {
    path: '/sign-in/options',
    summary: 'Options for the browser to request any passkey of the console',
    input: z.object({}),
    output: z.object({
      options: RequestOptions,
      /** Host name of the operator's own OpenID provider, where members can sign in instead; null: not configured. */
      provider: z.string().nullable(),
      /** Whether this browser has a session. */
      signed_in: z.boolean(),
    }),
  },
  signIn: {
    path: '/sign-in/verify',
    summary: 'Sign in with a passkey',
    input: z.object({ response: PasskeyAssertion }),
    output: z.object({ name: z.string() }),
  },
  openLink: {
    path: '/sign-in/link',
    summary: 'Read a link, or on a development machine sign in with it',
    input: z.object({ token: LinkToken }),
    output: z.discriminatedUnion('next', [
      /** The member is signed in, and the link is used. */
      z.object({ next: z.literal('signed_in') }),
      z.object({
        /** `join`: the signed-in member can take the role with `join`, or a new member can add a passkey. */
        next: z.enum(['passkey', 'join']),
        /** Name of the member the link is for. */
        name: z.string(),
        /** Null: the link is for an operator, or for another passkey of a member. */
        account: Slug.nullable(),
        /** The role in the whole account; null: only in the sites of `site_roles`. */
        role: z.enum(roles).nullable(),
        site_roles: z.record(Slug, z.enum(roles)),
        expires_at: Timestamp,
        /** Name of the member who is signed in in this browser; null: none. */
        signed_in_as: z.string().nullable(),
      }),
    ]),
  },
  join: {
    path: '/sign-in/join',
    summary: 'Accept the role of a link as the signed-in member. The link cannot be used again',
    input: z.object({ token: LinkToken }),
    output: z.object({}),
  },
  passkeyOptions: {
    path: '/passkeys/options',
    summary: 'Options for the browser to create a passkey, for a link or for the signed-in member who has confirmed',
    input: z.object({ token: LinkToken.optional() }),
    output: z.object({ options: CreationOptions }),
  },
  addPasskey: {
    path: '/passkeys/verify',
    summary: 'Store the new passkey. With a link, the member is also signed in, and the link cannot be used again',
    input: z.object({
      token: LinkToken.optional(),
      /** Name to recognize the passkey. */
      name: Text.trim().min(1).max(100),
      response: NewPasskey,
    }),
    output: z.object({ passkey_id: z.string() }),
  },
  confirmOptions: {
    path: '/sign-in/confirm/options',
    summary: 'Options for the browser to request a passkey of the signed-in member',
    input: z.object({}),
    output: z.object({ options: RequestOptions }),
  },
  confirm: {
    path: '/sign-in/confirm/verify',
    summary: 'Confirm with a passkey. Sensitive changes are then allowed for five minutes',
    input: z.object({ response: PasskeyAssertion }),
    output: z.object({ confirmed_until: Timestamp }),
  },
  signInAtProvider: {
    path: '/sign-in/provider',
    summary:
      'Address to redirect the browser to, to sign in, use a link or confirm at the operator’s own OpenID provider',
    input: z.object({
      /** Token of the link to use. */
      token: LinkToken.optional(),
      /** True: the signed-in member authenticates again, to confirm a change. */
      confirm: z.boolean().default(false),
      /** Path of the page to return to. On an error, the browser returns to `/sign-in?error=<name>`. */
      return_to: ReturnPath,
    }),
    output: z.object({ location: z.string() }),
  },
  openNoticeLink: {
    path: '/notices/link',
    summary: 'Read what the link of an e-mail confirms: that an address gets notices',
    input: z.object({ token: LinkToken }),
    output: NoticeLink,
  },
  confirmNotices: {
    path: '/notices/link/confirm',
    summary: 'Confirm the address of a link, which cannot be used again',
    input: z.object({ token: LinkToken }),
    output: NoticeLink,
  },
  findSignIn: {
    path: '/sign-in/find',
    summary:
      'Find how to sign in with an e-mail address: the address of the OpenID Provider of its domain, or null for a passkey. The answer is the same whether or not a member exists',
    input: z.object({ email: z.email().max(320), return_to: ReturnPath }),
    output: z.object({ location: z.string().nullable() }),
  },
  testAccountProvider: {
    path: '/sign-in/test',
    summary: 'Address to redirect the browser to, to test the OpenID Provider of an account as one of its owners',
    input: z.object({ account: Slug }),
    output: z.object({ location: z.string() }),
  },
  signOut: {
    path: '/sign-out',
    summary: 'End this session',
    input: z.object({}),
    output: z.object({}),
  },
} as const satisfies Record<string, SignInRoute>

export type SignInRoutes = typeof signInRoutes
