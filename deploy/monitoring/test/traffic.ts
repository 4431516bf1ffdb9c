import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import { openForTest, type SeededSite, type ServiceStack } from '#testing'
import { insertInvitation } from '../../../services/console/store/invitations.ts'
import { insertToken } from '../../../services/console/store/tokens.ts'
import { buildAuthorizeUrl, logIn, openTestBrowser } from '../../../services/provider-auth/test/browser.ts'

const pauseMs = 500

/**
 * Generates traffic until disposed: a login with its tokens, successful and failed calls of the Web API, a deleted
 * user, a member who signs in, and a change.
 */
export function keepTrafficGoing(serviceStack: ServiceStack, site: SeededSite): AsyncDisposable {
  const { knex, ...database } = openForTest(serviceStack.console.database_url)
  let going = true
  const traffic = async () => {
    for (let n = 1; going; n++) {
      // Requests that fail on a busy machine are repeated.
      await logInAndRedeem(serviceStack, site).catch(() => {})
      await callWebApi(serviceStack, site, n).catch(() => {})
      await useConsole(serviceStack, knex, n).catch(() => {})
      await delay(pauseMs)
    }
  }
  const ended = traffic()
  return {
    async [Symbol.asyncDispose]() {
      going = false
      await ended
      await database[Symbol.asyncDispose]()
    },
  }
}

async function logInAndRedeem({ auth }: ServiceStack, site: SeededSite): Promise<void> {
  const { client } = site
  const callback = await logIn(openTestBrowser(), buildAuthorizeUrl(site, 'search'))
  const redeem = () =>
    fetch(`${auth}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: callback.searchParams.get('code') ?? '',
        redirect_uri: client.redirect_uri,
      }),
    })
  for (const _time of [1, 2]) await redeem()
}

async function callWebApi({ web_api }: ServiceStack, site: SeededSite, n: number): Promise<void> {
  const user = { primary_key: `user-${n}` }
  const calls: [string, Record<string, string>][] = [
    ['appinfo', {}],
    ['create_user', { ...user, 'provider_user_ids[messaging]': `messaging-${n}` }],
    ['user_attribute', user],
    ['line/friendship_status', user],
    ['users', { limit: 'wrong' }],
    ['delete_user', user],
    ['user_attribute', user],
  ]
  for (const [operation, parameters] of calls)
    await fetch(`${web_api}/${operation}?${new URLSearchParams({ key: site.api_key, ...parameters })}`)
  await fetch(`${web_api}/appinfo?key=sl_wrong`)
}

async function useConsole({ console: { url } }: ServiceStack, knex: Knex, n: number): Promise<void> {
  const now = new Date()
  const post = (path: string, body: object, headers: Record<string, string>) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const invitation = await insertInvitation(knex, { name: 'Otto', signs_in: true, now })
  await post('/sign-in/link', { token: invitation.token }, { 'x-console': '1', origin: url })
  const expiresAt = new Date(now.getTime() + 60_000)
  const { token } = await insertToken(knex, { account: null, role: null, name: 'traffic', expires_at: expiresAt, now })
  await post(
    '/admin/v1/accounts',
    { account: `account-${n}`, name: `Account ${n}` },
    { authorization: `Bearer ${token}` },
  )
}
