import { createPublicKey } from 'node:crypto'
import { z } from 'zod'
import { loginProviders } from '#contracts'

const http_address = z.url({ protocol: /^https?$/, error: 'must be http or https addresses' })

/** A key of P-256, as PEM or JWK. */
const PublicKey = z.union([z.string(), z.record(z.string(), z.unknown())]).transform((given, context) => {
  try {
    const key = createPublicKey(typeof given === 'string' ? given : { key: given, format: 'jwk' })
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  } catch {
    // Told below, like a key of another curve.
  }
  context.addIssue({ code: 'custom', message: 'must be the PEM or JWK of a public key of P-256' })
  return z.NEVER
})

const Registration = z.object({
  provider: z.enum(loginProviders),
  client_id: z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters without spaces'),
  /** Empty for device, whose clients sign their secrets. */
  client_secret: z.string().max(2_048).default(''),
  redirect_uris: z
    .array(http_address.refine((uri) => !uri.includes('#'), 'must not have a fragment'))
    .min(1)
    .max(40),
  /** Messaging: an official account is linked to the channel. */
  official_account: z.boolean().default(false),
  /** Messaging: where the official account's new and lost friends are told, and the secret this is signed with. */
  webhook_uri: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  webhook_secret: z.string().min(1).max(255).optional(),
  /** Portal: the provider lets the application ask userinfo. */
  userinfo_approved: z.boolean().default(true),
  /** Device: what the client's secrets are verified with. */
  public_key: PublicKey.optional(),
  team_id: z.string().min(1).max(255).optional(),
  key_id: z.string().min(1).max(255).optional(),
  /** Device: where the client's server is told what people do about their account. */
  notification_uri: http_address.optional(),
  /** Social: the Graph API refuses calls without `appsecret_proof`. */
  appsecret_proof_required: z.boolean().default(false),
  /** Social: where a signed notice goes when a person removes the application, and one that asks to delete their data. */
  deauthorize_uri: http_address.optional(),
  data_deletion_uri: http_address.optional(),
  /** Microblog: the application's plan includes version 1.1 of the API. */
  api_v1: z.boolean().default(true),
  /** What the consent page calls it; the client id without one. */
  name: z.string().min(1).max(100).optional(),
})

/** What a client cannot do without, by how it proves who it is. */
const indispensable = { device: ['public_key', 'team_id', 'key_id'], others: ['client_secret'] } as const

/** An application registered at a provider. */
export const Client = Registration.superRefine((client, context) => {
  for (const name of indispensable[client.provider === 'device' ? 'device' : 'others'])
    if (!client[name]) context.addIssue({ code: 'custom', path: [name], message: 'is needed' })
})
export type Client = z.output<typeof Client>

export interface Clients {
  /** Adds a client, or replaces the one of the same provider and client id. */
  readonly register: (client: Client) => void
  readonly find: (provider: Client['provider'], client_id: string | undefined) => Client | undefined
}

export function createClients(): Clients {
  const clients = new Map<string, Client>()
  return {
    register: (client) => clients.set(`${client.provider} ${client.client_id}`, client),
    find: (provider, client_id) => clients.get(`${provider} ${client_id}`),
  }
}
