import { type Context, readForm } from '#http'
import { required } from './client.ts'
import { grantOf, type Search } from './state.ts'

/**
 * `POST /revoke` (RFC 7009, without client authentication). Either kind of token ends the person's consent and with it every
 * token; a token that is unknown or has ended already is no error.
 */
export async function revoke(ctx: Context, search: Search): Promise<void> {
  const { values } = await readForm(ctx.req)
  const token = required(values, 'token')
  const grant = grantOf(search.access_tokens, token) ?? grantOf(search.refresh_tokens, token)
  if (grant !== undefined) grant.consent.withdrawn = true
  ctx.body = {}
}
