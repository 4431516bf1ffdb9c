import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Context } from '#http'
import type { SimulatedClient } from '../../client-registry.ts'
import { sendErrors } from '../../oauth/errors.ts'
import type { AddRoutes } from '../../oauth/provider.ts'
import type { OAuthServer } from '../../oauth/server.ts'
import { simulatedClock } from '../../simulated-clock.ts'
import { sendWebhook } from '../../webhooks.ts'
import { createChangeError, readAccountChange } from '../account-change.ts'
import { getEmailClaims, hidesEmail } from './account.ts'

/** The real provider uses both spellings of account deletion. */
const events = ['consent-revoked', 'account-delete', 'account-deleted', 'email-disabled', 'email-enabled'] as const

export const addAccountEvents: AddRoutes = (routes, server) => {
  const errors = sendErrors()
  for (const event of events) {
    routes.post(`Account: ${event}`, `/account/${event}`, errors, (ctx) => changeAccount(ctx, event, server))
  }
}

/**
 * `POST /account/<event>`, which only the simulator has: a change that the end user `user` makes in their account
 * settings for the client `client_id`. The client's server first receives a webhook; `notified` is the status of its
 * response, null if it registered no `notification_uri` or did not respond.
 */
async function changeAccount(ctx: Context, event: (typeof events)[number], server: OAuthServer): Promise<void> {
  const { client, consent, identity } = await readAccountChange(ctx, server)
  const isAboutEmail = event === 'email-disabled' || event === 'email-enabled'
  if (isAboutEmail && !hidesEmail(consent)) {
    throw createChangeError('invalid_request', 'Only a relay address can be disabled and enabled.')
  }
  if (!isAboutEmail) consent.withdrawn = true
  const { sub } = identity
  const { email, is_private_email } = getEmailClaims(identity, consent)
  const notice = { type: event, sub, ...(isAboutEmail && { email, is_private_email }) }
  ctx.body = { type: event, sub, notified: await sendEvent(client, notice, server) }
}

/** Sends `{"payload": <JWS>}`, signed like an ID Token, in which `events` is JSON text. */
async function sendEvent(
  { client_id, notification_uri }: SimulatedClient,
  notice: object,
  { issuer, openid }: OAuthServer,
): Promise<number | null> {
  if (notification_uri === undefined || openid === undefined) return null
  const { kid, key } = openid.signingKeys.signing
  const payload = await new SignJWT({ events: JSON.stringify({ ...notice, event_time: simulatedClock.now() }) })
    .setProtectedHeader({ alg: 'RS256', kid })
    .setIssuer(issuer)
    .setAudience(client_id)
    .setIssuedAt(new Date(simulatedClock.now()))
    .setJti(randomUUID())
    .sign(key)
  const headers = { 'content-type': 'application/json' }
  return (await sendWebhook(notification_uri, { headers, body: JSON.stringify({ payload }) }))?.status ?? null
}
