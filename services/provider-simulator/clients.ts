import { z } from 'zod'
import { simulated_providers } from './providers/provider.ts'

const notice_uri = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })

/** An application registered at a provider. */
export const Client = z.object({
  provider: z.enum(simulated_providers),
  client_id: z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters without spaces'),
  client_secret: z.string().min(1).max(2_048),
  redirect_uris: z
    .array(
      z
        .url({ protocol: /^https?$/, error: 'must be http or https addresses' })
        .refine((uri) => !uri.includes('#'), 'must not have a fragment'),
    )
    .min(1)
    .max(40),
  /** Messaging: an official account is linked to the channel. */
  official_account: z.boolean().default(false),
  /** Messaging: where the official account's new and lost friends are told, and the secret this is signed with. */
  webhook_uri: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  webhook_secret: z.string().min(1).max(255).optional(),
  /** Portal: the provider lets the application ask userinfo. */
  userinfo_approved: z.boolean().default(true),
  /** Social: the Graph API refuses calls without `appsecret_proof`. */
  appsecret_proof_required: z.boolean().default(false),
  /** Social: where a signed notice goes when a person removes the application, and one that asks to delete their data. */
  deauthorize_uri: notice_uri.optional(),
  data_deletion_uri: notice_uri.optional(),
  /** Microblog: the application's plan includes version 1.1 of the API. */
  api_v1: z.boolean().default(true),
  /** What the consent page calls it; the client id without one. */
  name: z.string().min(1).max(100).optional(),
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
