import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Client } from '../../clients.ts'
import type { Device } from './state.ts'

interface Notice {
  readonly type: string
  readonly sub: string
  readonly email?: string | undefined
  readonly is_private_email?: string | undefined
}

/** How long the application's server may take. Our choice. */
const timeout_ms = 5_000

/**
 * Tells the application's server, once: `{"payload": <JWS>}`, signed as ID Tokens are, in which `events` is itself a text of
 * JSON.
 *
 * @returns the status it answered with; null: it has no address for notices, or did not answer
 */
export async function notify(client: Client, notice: Notice, device: Device): Promise<number | null> {
  const { client_id, notification_uri } = client
  if (notification_uri === undefined) return null
  const events = JSON.stringify({ ...notice, event_time: Date.now() })
  const { kid, key } = device.signing
  const payload = await new SignJWT({ events })
    .setProtectedHeader({ alg: 'RS256', kid })
    .setIssuer(device.issuer)
    .setAudience(client_id)
    .setIssuedAt()
    .setJti(randomUUID())
    .sign(key)
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payload }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeout_ms),
  } as const
  try {
    const response = await fetch(notification_uri, request)
    await response.body?.cancel()
    return response.status
  } catch {
    return null
  }
}
