import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { type Context, readForm } from '#http'
import type { Client } from '../../clients.ts'
import { readName } from '../../names.ts'
import { sendNotice } from '../../notices.ts'
import { answerErrors, ProviderError } from '../../oauth/errors.ts'
import type { AddRoutes } from '../../oauth/provider.ts'
import { identify, type OAuthServer } from '../../oauth/server.ts'
import { required } from '../../oauth/token.ts'
import { claimsOfEmail, hidesEmail } from './account.ts'

/** Both spellings of the deletion of an account have been seen. */
const events = ['consent-revoked', 'account-delete', 'account-deleted', 'email-disabled', 'email-enabled'] as const

export const addAccountEvents: AddRoutes = (routes, server) => {
  const errors = answerErrors()
  for (const event of events) {
    routes.post(`Account: ${event}`, `/account/${event}`, errors, (ctx) => changeAccount(ctx, event, server))
  }
}

/**
 * `POST /account/<event>`, which only the simulator has: what the end user `user` changes in the settings of their account for
 * the client `client_id`. The client's server gets a notice first; `notified` is the status it answered with, null when it
 * registered no `notification_uri` or did not answer.
 */
async function changeAccount(ctx: Context, event: (typeof events)[number], server: OAuthServer): Promise<void> {
  const { values } = await readForm(ctx.req)
  const client = server.clients.find('device', required(values, 'client_id', server))
  if (client === undefined) throw rejected('invalid_client', 'The client_id is not known.')
  const read = readName(values.get('user'))
  if ('problem' in read) throw rejected('invalid_request', `user: ${read.problem}`)
  const { name } = read
  const consent = server.grants.consents.find(client.client_id, name)
  if (consent === undefined) throw rejected('not_found', 'The person does not use the application.', 404)

  const isAboutEmail = event === 'email-disabled' || event === 'email-enabled'
  if (isAboutEmail && !hidesEmail(consent)) {
    throw rejected('invalid_request', 'Only an address of the relay is disabled and enabled.')
  }
  if (!isAboutEmail) consent.withdrawn = true
  const identity = identify({ client_id: client.client_id, name }, server)
  const { sub } = identity
  const { email, is_private_email } = claimsOfEmail(identity, consent)
  const notice = { type: event, sub, ...(isAboutEmail && { email, is_private_email }) }
  ctx.body = { type: event, sub, notified: await notify(client, notice, server) }
}

function rejected(error: string, description: string, status = 400): ProviderError {
  return new ProviderError({ status, error, description })
}

/** Sends `{"payload": <JWS>}`, signed like an ID Token, in which `events` is itself JSON text. */
async function notify(
  { client_id, notification_uri }: Client,
  notice: object,
  { issuer, openid }: OAuthServer,
): Promise<number | null> {
  if (notification_uri === undefined || openid === undefined) return null
  const { kid, key } = openid.signingKeys.signing
  const payload = await new SignJWT({ events: JSON.stringify({ ...notice, event_time: Date.now() }) })
    .setProtectedHeader({ alg: 'RS256', kid })
    .setIssuer(issuer)
    .setAudience(client_id)
    .setIssuedAt()
    .setJti(randomUUID())
    .sign(key)
  const headers = { 'content-type': 'application/json' }
  return (await sendNotice(notification_uri, { headers, body: JSON.stringify({ payload }) }))?.status ?? null
}
