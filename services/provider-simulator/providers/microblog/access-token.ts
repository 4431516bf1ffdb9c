import type { Context } from '#http'
import { equalSecrets, newToken } from '#runtime'
import { NumberedError } from './errors.ts'
import { answerForm } from './form.ts'
import { memberNamed } from './member.ts'
import { type Signed, verifySignature } from './signature.ts'
import type { AccessToken, Microblog } from './state.ts'

/** `POST /oauth/access_token`: signed with the secret of a request token to which the person has agreed; good for once. */
export async function issueAccessToken(ctx: Context, microblog: Microblog): Promise<void> {
  const { request_tokens } = microblog
  const { client, token, values } = await verifySignature(ctx, (name) => request_tokens.get(name)?.secret, microblog)
  const request = request_tokens.take(token)
  const agreed = request?.client_id === client.client_id ? request.agreed : undefined
  if (agreed === undefined || !equalSecrets(values.get('oauth_verifier') ?? '', agreed.verifier)) {
    throw new NumberedError('could_not_authenticate')
  }
  const access = accessTokenOf(client.client_id, agreed.name, microblog)
  const { id, screen_name } = memberNamed(agreed.name, microblog)
  answerForm(ctx, { oauth_token: access.token, oauth_token_secret: access.secret, user_id: id, screen_name })
}

/** `POST /1.1/oauth/invalidate_token`: ends the access token it is signed with. */
export async function invalidateToken(ctx: Context, microblog: Microblog): Promise<void> {
  const access_token = await verifyAccess(ctx, microblog)
  microblog.access_tokens.take(access_token.token)
  ctx.body = { access_token: access_token.token }
}

/** The access token with which a request is signed. */
export async function verifyAccess(ctx: Context, microblog: Microblog): Promise<AccessToken> {
  const { access_tokens } = microblog
  const ofClient = ({ token, client }: Pick<Signed, 'token' | 'client'>) => {
    const access = access_tokens.get(token)
    return access?.client_id === client.client_id ? access : undefined
  }
  const signed = await verifySignature(ctx, (token, client) => ofClient({ token, client })?.secret, microblog)
  const access = ofClient(signed)
  if (access === undefined) throw new NumberedError('token_is_over')
  return access
}

/** The person's token for the client, made when there is none that lives. */
function accessTokenOf(client_id: string, name: string, microblog: Microblog): AccessToken {
  const { access_tokens, tokens_of_people } = microblog
  const whose = `${client_id} ${name}`
  const known = access_tokens.get(tokens_of_people.get(whose))
  if (known !== undefined) return known
  const token = newToken(`${memberNamed(name, microblog).id}-`, 24)
  const access = { client_id, name, token, secret: newToken('', 32) }
  access_tokens.set(token, access)
  tokens_of_people.set(whose, token)
  return access
}
