import { createHmac } from 'node:crypto'
import type { Client } from '../../clients.ts'
import { sendNotice } from '../../notices.ts'
import type { Consent } from '../../oauth/grants.ts'
import { identify, type OAuthServer } from '../../oauth/server.ts'

/** A notice to an application and its answer; `status` is null if there was none. */
export interface Notice {
  readonly about: 'deauthorization' | 'data deletion'
  readonly uri: string
  readonly status: number | null
  readonly answer: string
}

/**
 * Withdraws the end user's consent to an application, with every token of it, and notifies the application: that it was
 * removed, and that the end user's data is to be deleted.
 */
export async function removeApplication(consent: Consent, server: OAuthServer): Promise<readonly Notice[]> {
  const { client, sub: userId } = identify(consent, server)
  consent.withdrawn = true
  const issuedAt = Math.floor(Date.now() / 1_000)
  const payload = { user_id: userId, algorithm: 'HMAC-SHA256', issued_at: issuedAt }
  const notices = [
    { about: 'deauthorization', uri: client.deauthorize_uri, payload },
    { about: 'data deletion', uri: client.data_deletion_uri, payload: { ...payload, expires: issuedAt + 3_600 } },
  ] as const
  return Promise.all(
    notices.flatMap(({ about, uri, payload }) => (uri === undefined ? [] : [notify({ about, uri, payload }, client)])),
  )
}

/** `signed_request`: the signature and the JSON, both in base64url; signed is the base64url text of the JSON. */
function signRequest(payload: object, { client_secret }: Pick<Client, 'client_secret'>): string {
  const encoded = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${createHmac('sha256', client_secret).update(encoded).digest('base64url')}.${encoded}`
}

async function notify(
  { about, uri, payload }: Pick<Notice, 'about' | 'uri'> & { readonly payload: object },
  client: Client,
): Promise<Notice> {
  const answer = await sendNotice(uri, { body: new URLSearchParams({ signed_request: signRequest(payload, client) }) })
  return { about, uri, status: answer?.status ?? null, answer: answer?.text ?? '' }
}
