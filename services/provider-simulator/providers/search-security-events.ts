import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Context } from '#http'
import { sendErrors } from '../oauth/errors.ts'
import type { AddRoutes } from '../oauth/provider.ts'
import type { OAuthServer } from '../oauth/server.ts'
import { simulatedClock } from '../simulated-clock.ts'
import { sendWebhook } from '../webhooks.ts'
import { readAccountChange } from './account-change.ts'

const risc = 'https://schemas.openid.net/secevent/risc/event-type'

/** What the provider reports about an account, by the last part of the event's type, and whether it ends the consent. */
const events = [
  { name: 'account-disabled', type: `${risc}/account-disabled`, endsConsent: false },
  { name: 'account-enabled', type: `${risc}/account-enabled`, endsConsent: false },
  { name: 'sessions-revoked', type: `${risc}/sessions-revoked`, endsConsent: false },
  {
    name: 'tokens-revoked',
    type: 'https://schemas.openid.net/secevent/oauth/event-type/tokens-revoked',
    endsConsent: true,
  },
] as const

export const addSecurityEvents: AddRoutes = (routes, server) => {
  const errors = sendErrors()
  for (const event of events) {
    routes.post(`Account: ${event.name}`, `/account/${event.name}`, errors, (ctx) => report(ctx, event, server))
  }
}

/**
 * `POST /account/<event>`, which only the simulator has: an event about the account of `user`, as Cross-Account Protection reports
 * it to the application of `client_id`, with `reason` if it is sent. `notified` is the status of the application's response, null
 * if it registered no `notification_uri` or did not respond.
 */
async function report(
  ctx: Context,
  { name, type, endsConsent }: (typeof events)[number],
  server: OAuthServer,
): Promise<void> {
  const { client, consent, identity, values } = await readAccountChange(ctx, server)
  if (endsConsent) consent.withdrawn = true
  const { sub } = identity
  const { client_id, notification_uri } = client
  const token = await signEvent({ client_id, type, sub, reason: values.get('reason') }, server)
  const headers = { 'content-type': 'application/secevent+jwt', accept: 'application/json' }
  const response =
    notification_uri === undefined ? undefined : await sendWebhook(notification_uri, { headers, body: token })
  ctx.body = { type: name, sub, notified: response?.status ?? null }
}

interface EventOfUser {
  readonly client_id: string
  readonly type: string
  readonly sub: string
  readonly reason: string | undefined
}

/** Signs a Security Event Token (RFC 8417). The real provider names itself with a slash at the end here. */
function signEvent({ client_id, type, sub, reason }: EventOfUser, { issuer, openid }: OAuthServer): Promise<string> {
  if (openid === undefined) throw new Error('The provider must sign ID Tokens.')
  const { kid, key } = openid.signingKeys.signing
  const iss = `${issuer}/`
  const event = { subject: { subject_type: 'iss-sub', iss, sub }, ...(reason !== undefined && { reason }) }
  return new SignJWT({ events: { [type]: event } })
    .setProtectedHeader({ alg: 'RS256', kid, typ: 'secevent+jwt' })
    .setIssuer(iss)
    .setAudience(client_id)
    .setIssuedAt(new Date(simulatedClock.now()))
    .setJti(randomUUID())
    .sign(key)
}
