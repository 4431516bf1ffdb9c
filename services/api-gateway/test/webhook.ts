import { createHmac } from 'node:crypto'
import { registerAtSimulator } from '#testing'
import type { Stage } from './stage.ts'

const webhookSecret = 'channel-secret-of-the-messaging-api'

/** Saves a webhook of the site's messaging settings, at the service and at the provider, and returns its address. */
export async function saveWebhook({ serviceStack, site }: Pick<Stage, 'serviceStack' | 'site'>): Promise<string> {
  const { client_id, client_secret, provider_callback } = site.providers.messaging
  const { account, site_id } = site
  const client = { provider: 'messaging', client_id, client_secret, official_account: true } as const
  const settings = { site: site.site, account, site_id, ...client, options: { webhook_secret: webhookSecret } }
  const { webhook_uris } = await serviceStack.provider_auth.saveProviderSettings(settings, serviceStack.call())
  const webhookUri = webhook_uris.events ?? ''
  const redirectUris = [provider_callback]
  await registerAtSimulator(serviceStack.simulator, {
    ...client,
    redirect_uris: redirectUris,
    webhook_uri: webhookUri,
    webhook_secret: webhookSecret,
  })
  return webhookUri
}

export const sign = (body: string, secret = webhookSecret) => createHmac('sha256', secret).update(body).digest('base64')

/** Sends a delivery as the provider does; with the signature `''` without one. */
export function sendDelivery(uri: string, body: string, signature: string = sign(body)): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(signature !== '' && { 'x-line-signature': signature }) }
  return fetch(uri, { method: 'POST', headers, body })
}

/** An event about a person with this id at the provider. */
export const event = (type: string, userId: string, changes: Record<string, unknown> = {}) => ({
  type,
  timestamp: Date.now(),
  mode: 'active',
  webhookEventId: '01HXXXXXXXXXXXXXXXXXXXXXXX',
  deliveryContext: { isRedelivery: false },
  source: { type: 'user', userId },
  ...changes,
})

export const bodyOf = (...events: unknown[]) => JSON.stringify({ destination: 'U0', events })
