import { type Context, readForm } from '#http'
import { readName } from '../../names.ts'
import { OAuthError } from '../../oauth.ts'
import { required } from './client.ts'
import { notify } from './notices.ts'
import { type Device, emailOf, findConsent, memberNamed } from './state.ts'

/** Both spellings of the end of an account have been seen. */
export const events = [
  'consent-revoked',
  'account-delete',
  'account-deleted',
  'email-disabled',
  'email-enabled',
] as const
export type Event = (typeof events)[number]

/**
 * `POST /account/<event>`, the simulator's own: what the person `user` does in the settings of their account about the
 * application `client_id`. Its server is told by a notice before this answers; `notified` is the status it answered with, null
 * when it registered no `notification_uri` or did not answer.
 */
export async function changeAccount(ctx: Context, event: Event, device: Device): Promise<void> {
  const { values } = await readForm(ctx.req)
  const client = device.clients.find('device', required(values, 'client_id'))
  if (client === undefined) throw new OAuthError('invalid_client', 'The client_id is not known.')
  const read = readName(values.get('user'))
  if ('problem' in read) throw new OAuthError('invalid_request', `user: ${read.problem}`)
  const member = memberNamed(read.name, client, device)
  const consent = findConsent(device, client, member)
  if (consent === undefined) throw new OAuthError('not_found', 'The person does not use the application.', 404)

  const { email, is_private_email } = emailOf(member, consent)
  const about_email = event === 'email-disabled' || event === 'email-enabled'
  if (about_email && !consent.hides_email) {
    throw new OAuthError('invalid_request', 'Only an address of the relay is disabled and enabled.')
  }
  if (!about_email) consent.withdrawn = true
  const { sub } = member
  const notified = await notify(client, { type: event, sub, ...(about_email && { email, is_private_email }) }, device)
  ctx.body = { type: event, sub, notified }
}
