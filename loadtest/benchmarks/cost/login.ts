import { logIn, openTestBrowser } from '../../../services/provider-auth/test/browser.ts'
import type { LoginSite } from '../../seed/prepared.ts'

export interface LoginRunner {
  readonly auth: string
  readonly login_site: LoginSite
}

/** End users who log in repeatedly. */
const userCount = 20

/**
 * A complete login of a known user with the search provider: authorization endpoint, callback, token, userinfo.
 *
 * @returns the access token
 */
export async function authorizeFrom({ auth, login_site: { client } }: LoginRunner, n: number): Promise<string> {
  const address = new URL(client.authorize.search ?? '')
  const parameters = { response_type: 'code', scope: 'openid profile email', state: 'cost' }
  const { client_id, redirect_uri } = client
  for (const [name, value] of Object.entries({ ...parameters, client_id, redirect_uri }))
    address.searchParams.set(name, value)
  const callback = await logIn(openTestBrowser(), address.href, { user: `User ${n % userCount}` })
  const redeemed = await fetch(`${auth}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client_id}:${client.client_secret}`)}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri,
    }),
  })
  const tokens: unknown = await redeemed.json()
  const accessToken: unknown = Reflect.get(Object(tokens), 'access_token')
  if (typeof accessToken !== 'string') throw new Error(`The token endpoint returned ${redeemed.status}.`)
  const userinfo = await fetch(`${auth}/oauth2/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } })
  await userinfo.arrayBuffer()
  if (!userinfo.ok) throw new Error(`userinfo returned ${userinfo.status}.`)
  return accessToken
}
