import { createHmac } from 'node:crypto'
import type { SimulatedClient } from '../../client-registry.ts'
import type { ProviderConsent } from '../../oauth/grants.ts'
import { identify, type OAuthServer } from '../../oauth/server.ts'
import { simulatedClock } from '../../simulated-clock.ts'
import { sendWebhook } from '../../webhooks.ts'

/** A webhook to an application and its response; `status` is null if there was none. */
export interface RemovalDelivery {
  readonly topic: 'deauthorization' | 'data deletion'
  readonly uri: string
  readonly status: number | null
  readonly response: string
}

/**
 * Withdraws the end user's consent to an application, with all tokens, and sends the application's webhooks: that it
 * was removed, and that the end user's data must be deleted.
 */
export async function removeApplication(
  consent: ProviderConsent,
  server: OAuthServer,
): Promise<readonly RemovalDelivery[]> {
  const { client, sub: userId } = identify(consent, server)
  consent.withdrawn = true
  const issuedAt = Math.floor(simulatedClock.now() / 1_000)
  const payload = { user_id: userId, algorithm: 'HMAC-SHA256', issued_at: issuedAt }
  const deliveries = [
    { topic: 'deauthorization', uri: client.deauthorize_uri, payload },
    { topic: 'data deletion', uri: client.data_deletion_uri, payload: { ...payload, expires: issuedAt + 3_600 } },
  ] as const
  return Promise.all(
    deliveries.flatMap(({ topic, uri, payload }) =>
      uri === undefined ? [] : [deliver({ topic, uri, payload }, client)],
    ),
  )
}

/** `signed_request`: the signature and the JSON, both in base64url; the base64url text of the JSON is signed. */
function signRequest(payload: object, { client_secret }: Pick<SimulatedClient, 'client_secret'>): string {
  const encoded = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${createHmac('sha256', client_secret).update(encoded).digest('base64url')}.${encoded}`
}

async function deliver(
  { topic, uri, payload }: Pick<RemovalDelivery, 'topic' | 'uri'> & { readonly payload: object },
  client: SimulatedClient,
): Promise<RemovalDelivery> {
  const response = await sendWebhook(uri, {
    body: new URLSearchParams({ signed_request: signRequest(payload, client) }),
  })
  return { topic, uri, status: response?.status ?? null, response: response?.text ?? '' }
}
