import { createHmac } from 'node:crypto'
import type { Client } from '../../clients.ts'
import { nowSeconds } from '../../oauth.ts'
import { memberOf } from './member.ts'
import { type Authorization, authorizationKey, type Social } from './state.ts'

/** What an application was told, and how it answered; `status` is null when it did not. */
export interface Notice {
  readonly about: 'deauthorization' | 'data deletion'
  readonly uri: string
  readonly status: number | null
  /** The first of its words. */
  readonly answer: string
}

/** How long an application may take to answer. Our choice. */
const patience_ms = 10_000

/**
 * Ends what a person granted an application, with every token of it, and tells the application: that it was removed, and
 * that the person's data is to be deleted.
 */
export async function removeApplication(authorization: Authorization, social: Social): Promise<readonly Notice[]> {
  const client = social.clients.find('social', authorization.client_id)
  const user_id = memberOf(authorization, social).id
  social.authorizations.delete(authorizationKey(authorization))
  if (client === undefined) return []
  const issued_at = nowSeconds()
  const payload = { user_id, algorithm: 'HMAC-SHA256', issued_at }
  const notices = [
    { about: 'deauthorization', uri: client.deauthorize_uri, payload },
    { about: 'data deletion', uri: client.data_deletion_uri, payload: { ...payload, expires: issued_at + 3_600 } },
  ] as const
  return Promise.all(
    notices.flatMap(({ about, uri, payload }) => (uri === undefined ? [] : [notify({ about, uri, payload }, client)])),
  )
}

/** `signed_request`: the signature and the JSON, each in base64url; signed is the text of the JSON's base64url. */
function signRequest(payload: object, { client_secret }: Pick<Client, 'client_secret'>): string {
  const encoded = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${createHmac('sha256', client_secret).update(encoded).digest('base64url')}.${encoded}`
}

async function notify(
  { about, uri, payload }: Pick<Notice, 'about' | 'uri'> & { readonly payload: object },
  client: Client,
): Promise<Notice> {
  try {
    const response = await fetch(uri, {
      method: 'POST',
      body: new URLSearchParams({ signed_request: signRequest(payload, client) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(patience_ms),
    })
    return { about, uri, status: response.status, answer: (await response.text()).slice(0, 500) }
  } catch {
    return { about, uri, status: null, answer: '' }
  }
}
