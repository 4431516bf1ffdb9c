import { z } from 'zod'
import { Slug, Text, Timestamp } from '../scalars.ts'
import { roles } from './procedure.ts'

/** Base64url as WebAuthn writes it; bounded, as nothing is known about who sends it. */
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
  /** Of extensions nothing is asked for, so nothing is read. */
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

/** `PublicKeyCredentialRequestOptionsJSON`, to be given to the browser as it is. */
const RequestOptions = z.object({
  challenge: z.string(),
  timeout: z.int().exactOptional(),
  rpId: z.string().exactOptional(),
  allowCredentials: z.array(CredentialName).exactOptional(),
  userVerification: z.enum(['required', 'preferred', 'discouraged']).exactOptional(),
})

/** `PublicKeyCredentialCreationOptionsJSON`, to be given to the browser as it is. */
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

/** A route with which the web console's page signs a member in. */
export interface SignInRoute {
  readonly path: string
  readonly summary: string
  readonly input: z.ZodObject
  readonly output: z.ZodType
}

/**
 * How a member signs in with the web console. Every route is a POST of JSON with the header `X-Console: 1` from the console's
 * own page, and refuses as the Admin API does. Challenges hold for five minutes, once, and in the browser they were asked from.
 *
 * | To | ask | then the browser | then |
 * |---|---|---|---|
 * | sign in | `signInOptions` | `navigator.credentials.get` | `signIn`: the session's cookie |
 * | use a link | `openLink` | – | by its `next`: done, `join`, or a passkey with the link's token |
 * | add a passkey | `passkeyOptions` | `navigator.credentials.create` | `addPasskey`: with a link also the session's cookie |
 * | do it at the operator's own provider | `signInAtProvider` | goes to `location` | it comes back signed in, or confirmed |
 * | confirm a sensitive act | `confirmOptions` | `navigator.credentials.get` | `confirm`: for five minutes |
 */
export const signInRoutes = {
  signInOptions: {
    path: '/sign-in/options',
    summary: 'What the browser needs to ask for a passkey; whose, it tells itself',
    input: z.object({}),
    output: z.object({
      options: RequestOptions,
      /** Host name of the operator's own OpenID provider, where one can sign in instead; null: there is none. */
      provider: z.string().nullable(),
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
    summary: 'Look at a link, or on a development machine sign in with it',
    input: z.object({ token: LinkToken }),
    output: z.discriminatedUnion('next', [
      /** The link signed in, and is used up. */
      z.object({ next: z.literal('signed_in') }),
      z.object({
        /** `join`: whoever is signed in here may take the role with `join`, or a new member makes a passkey. */
        next: z.enum(['passkey', 'join']),
        /** Of the member it is for. */
        name: z.string(),
        /** Null: an operator, or a member who gets another passkey. */
        account: Slug.nullable(),
        role: z.enum(roles).nullable(),
        expires_at: Timestamp,
        /** Who is signed in here; null: nobody. */
        signed_in_as: z.string().nullable(),
      }),
    ]),
  },
  join: {
    path: '/sign-in/join',
    summary: 'Take the role a link offers, as the member who is signed in; the link is used up',
    input: z.object({ token: LinkToken }),
    output: z.object({}),
  },
  passkeyOptions: {
    path: '/passkeys/options',
    summary:
      'What the browser needs to make a passkey: by a link, or for the member who is signed in and has confirmed',
    input: z.object({ token: LinkToken.optional() }),
    output: z.object({ options: CreationOptions }),
  },
  addPasskey: {
    path: '/passkeys/verify',
    summary: 'Keep the passkey that was made; with a link, the member is signed in and the link used up',
    input: z.object({
      token: LinkToken.optional(),
      /** To know it by. */
      name: Text.trim().min(1).max(100),
      response: NewPasskey,
    }),
    output: z.object({ passkey_id: z.string() }),
  },
  confirmOptions: {
    path: '/sign-in/confirm/options',
    summary: 'What the browser needs to ask the member who is signed in for a passkey again',
    input: z.object({}),
    output: z.object({ options: RequestOptions }),
  },
  confirm: {
    path: '/sign-in/confirm/verify',
    summary: 'Confirm with a passkey: sensitive acts are allowed for five minutes',
    input: z.object({ response: PasskeyAssertion }),
    output: z.object({ confirmed_until: Timestamp }),
  },
  signInAtProvider: {
    path: '/sign-in/provider',
    summary: 'Where to send the browser to sign in, use a link or confirm at the operator’s own OpenID provider',
    input: z.object({
      /** Of the link to be used. */
      token: LinkToken.optional(),
      /** For the member who is signed in: to prove it anew. */
      confirm: z.boolean().default(false),
      /** Path of the page to come back to; a refusal comes back to `/sign-in?refused=<its name>`. */
      return_to: z
        .string()
        .max(2_048)
        .regex(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/, 'must be a path of the console')
        .default('/'),
    }),
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
