import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { limits, ProviderUserId } from '#contracts'
import { clockToleranceSeconds } from '#http'
import { WebhookRejected } from '../../domain/provider-event.ts'

const Signed = z.object({
  algorithm: z.literal('HMAC-SHA256'),
  user_id: ProviderUserId,
  /** Unix time in seconds. */
  issued_at: z.int().positive(),
})

/**
 * Verifies a `signed_request` of the social provider: `<signature>.<payload>`, both base64url, signed with HMAC-SHA256
 * and the app secret. The signature is verified before anything else is read.
 *
 * @returns the user ID, and the end of the second in which the request was issued
 * @throws WebhookRejected
 */
export function verifySignedRequest(
  signedRequest: string,
  appSecret: string,
): { readonly provider_user_id: string; readonly occurred_at: Date } {
  const [, signature, payload] = /^([\w-]+)=*\.([\w-]+)=*$/.exec(signedRequest) ?? []
  if (signature === undefined || payload === undefined) throw new WebhookRejected()
  const signed = signedRequest.slice(signedRequest.indexOf('.') + 1)
  const expected = createHmac('sha256', appSecret).update(signed).digest()
  const signatureBytes = Buffer.from(signature, 'base64url')
  if (signatureBytes.length !== expected.length || !timingSafeEqual(signatureBytes, expected))
    throw new WebhookRejected()

  const { user_id, issued_at } = parsePayload(payload)
  const ageSeconds = Date.now() / 1_000 - issued_at
  if (ageSeconds > limits.provider_webhook_age_seconds || ageSeconds < -clockToleranceSeconds)
    throw new WebhookRejected()
  return { provider_user_id: user_id, occurred_at: new Date(issued_at * 1_000 + 999) }
}

function parsePayload(payload: string): z.infer<typeof Signed> {
  try {
    return Signed.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')))
  } catch (cause) {
    throw new WebhookRejected({ cause })
  }
}
