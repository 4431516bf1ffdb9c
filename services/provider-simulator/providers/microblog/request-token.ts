import type { Context } from '#http'
import { newToken } from '#runtime'
import type { Client } from '../../clients.ts'
import { NumberedError } from './errors.ts'
import { answerForm } from './form.ts'
import { verifySignature } from './signature.ts'
import type { Microblog } from './state.ts'

/** `POST /oauth/request_token`: signed with the client's secret alone. */
export async function issueRequestToken(ctx: Context, microblog: Microblog): Promise<void> {
  const noToken = (token: string | undefined) => (token === undefined ? '' : undefined)
  const { client, values } = await verifySignature(ctx, noToken, microblog)
  const callback = values.get('oauth_callback')
  if (callback === undefined || !isRegistered(callback, client)) throw new NumberedError('callback')

  const [oauth_token, oauth_token_secret] = [newToken('', 20), newToken('', 24)]
  microblog.request_tokens.set(oauth_token, { client_id: client.client_id, secret: oauth_token_secret, callback })
  answerForm(ctx, { oauth_token, oauth_token_secret, oauth_callback_confirmed: 'true' })
}

/** To the letter, but for the query, which an application may add and cannot register. */
function isRegistered(callback: string, { redirect_uris }: Client): boolean {
  const [address = '', ...rest] = callback.split('?')
  return rest.length <= 1 && !callback.includes('#') && redirect_uris.includes(address)
}
