import { createPublicKey } from 'node:crypto'
import { z } from 'zod'
import { messagingPermissions } from '#contracts'
import type { Context } from '#http'
import { readJsonInput } from './json-input.ts'
import { simulatedNames } from './simulated-names.ts'

const httpAddress = z.url({ protocol: /^https?$/, error: 'must be http or https addresses' })

/** A public key on P-256, as PEM or JWK. */
const PublicKey = z.union([z.string(), z.record(z.string(), z.unknown())]).transform((given, context) => {
  try {
    const key = createPublicKey(typeof given === 'string' ? given : { key: given, format: 'jwk' })
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  } catch {
    // Reported below, like a key of another curve.
  }
  context.addIssue({ code: 'custom', message: 'must be a public key on P-256, as PEM or JWK' })
  return z.NEVER
})

const Registration = z.object({
  provider: z.enum(simulatedNames),
  client_id: z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters without spaces'),
  /** Empty for device, whose clients sign their secrets. */
  client_secret: z.string().max(2_048).default(''),
  redirect_uris: z
    .array(httpAddress.refine((uri) => !uri.includes('#'), 'must not have a fragment'))
    .min(1)
    .max(40),
  /** Messaging: an official account is linked to the channel. */
  official_account: z.boolean().default(false),
  /** Messaging: the webhook for new and lost friends of the official account, and the secret that signs its events. */
  webhook_uri: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  webhook_secret: z.string().min(1).max(255).optional(),
  /** Messaging: the permissions of LINE Profile+ that the provider approved for the channel. */
  permissions: z.array(z.enum(messagingPermissions)).default([]),
  /** Portal: the provider approved the client to read userinfo. */
  userinfo_approved: z.boolean().default(true),
  /** Device: verifies the client's secrets. */
  public_key: PublicKey.optional(),
  team_id: z.string().min(1).max(255).optional(),
  key_id: z.string().min(1).max(255).optional(),
  /** Device: receives webhooks about changes that end users make in their account settings. Search: receives security events. */
  notification_uri: httpAddress.optional(),
  /** Social: the Graph API rejects calls without `appsecret_proof`. */
  appsecret_proof_required: z.boolean().default(false),
  /** Social: receive signed webhooks when an end user removes the application and when their data must be deleted. */
  deauthorize_uri: httpAddress.optional(),
  data_deletion_uri: httpAddress.optional(),
  /** Microblog: the application's plan includes version 1.1 of the API. */
  api_v1: z.boolean().default(true),
  /** The name on the consent page; the client ID by default. */
  name: z.string().min(1).max(100).optional(),
})

/** The fields that a client's authentication needs. */
const requiredFields = { device: ['public_key', 'team_id', 'key_id'], others: ['client_secret'] } as const

/** An application registered at a provider. */
export const SimulatedClient = Registration.superRefine((client, context) => {
  for (const name of requiredFields[client.provider === 'device' ? 'device' : 'others'])
    if (!client[name]) context.addIssue({ code: 'custom', path: [name], message: 'is required' })
})
export type SimulatedClient = z.output<typeof SimulatedClient>

export interface ClientRegistry {
  /** Adds a client, or replaces the one of the same provider and client id. */
  readonly register: (client: SimulatedClient) => void
  readonly find: (provider: string, clientId: string | undefined) => SimulatedClient | undefined
}

export function createClientRegistry(): ClientRegistry {
  const clients = new Map<string, SimulatedClient>()
  return {
    register: (client) => clients.set(`${client.provider} ${client.client_id}`, client),
    find: (provider, clientId) => clients.get(`${provider} ${clientId}`),
  }
}

/** `POST /clients`: 201 with the client's provider and id, or 400 in the form of RFC 7591 3.2.2. */
export async function handleClientRegistration(ctx: Context, clients: ClientRegistry): Promise<void> {
  const input = await readJsonInput(ctx, SimulatedClient)
  if ('data' in input) {
    const { provider, client_id } = input.data
    clients.register(input.data)
    ctx.status = 201
    ctx.body = { provider, client_id }
  } else {
    ctx.status = 400
    ctx.body = { error: 'invalid_client_metadata', error_description: input.problem }
  }
}
