import { createHmac } from 'node:crypto'
import { registerAtSimulator } from '#testing'
import type { TestStage } from './stage.ts'

const webhookSecret = 'channel-secret-of-the-messaging-api'

/** Saves the webhook of the site's messaging settings, in the service and at the provider, and returns its URL. */
export async function saveWebhook({ serviceStack, site }: Pick<TestStage, 'serviceStack' | 'site'>): Promise<string> {
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

/** Sends a delivery as the provider does; the signature `''` omits it. */
export function sendDelivery(uri: string, body: string, signature: string = sign(body)): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(signature !== '' && { 'x-line-signature': signature }) }
  return fetch(uri, { method: 'POST', headers, body })
}

/** An event about the account with this ID at the provider. */
export const createEvent = (type: string, userId: string, changes: Record<string, unknown> = {}) => ({
  type,
  timestamp: Date.now(),
  mode: 'active',
  webhookEventId: '01HXXXXXXXXXXXXXXXXXXXXXXX',
  deliveryContext: { isRedelivery: false },
  source: { type: 'user', userId },
  ...changes,
})

export const createBody = (...events: unknown[]) => JSON.stringify({ destination: 'U0', events })
