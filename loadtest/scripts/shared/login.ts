import { check } from 'k6'
import http, { type RefinedResponse } from 'k6/http'
import type { LoginClient } from '../../seed/prepared.ts'
import { auth, oneOf, siteWithClient } from './prepared.ts'

type Response = RefinedResponse<'text'>

export interface LoggedIn {
  readonly identifier: string
  readonly id_token: string
}

export const loginSteps = ['authorize', 'provider page', 'callback', 'token', 'userinfo'] as const
type Step = (typeof loginSteps)[number]

/** Number of end users who log in repeatedly. */
const userCount = 2_000

/** Logs in one of the end users with one of the site's providers. */
export function logInRandomUser(): LoggedIn | undefined {
  const { client } = siteWithClient()
  const user = `user ${Math.floor(Math.random() * userCount)}`
  return logIn(client, { provider: oneOf(Object.keys(client.authorize)), user })
}

/**
 * Logs in an end user as browser and application do together: authorization endpoint, provider's page, callback, token
 * endpoint, userinfo. Undefined if a step failed, which a check counts.
 */
export function logIn(
  client: LoginClient,
  { provider, user }: { provider: string; user: string },
): LoggedIn | undefined {
  const { client_id, client_secret, redirect_uri, authorize } = client
  const state = `${__VU}-${__ITER}-${Math.random()}`
  const request = { client_id, redirect_uri, response_type: 'code', scope: 'openid profile email', state, nonce: state }
  const began = open(`${authorize[provider]}?${form(request)}`, 'authorize')
  const page = follow(began, 'provider page', redirect_uri)
  if (!check(page, { 'the provider shows its page': () => page.status === 200 })) return undefined

  const action = page.html('form').attr('action') ?? ''
  const handle = page.html('input[name=handle]').attr('value') ?? ''
  const submitted = http.post<'text'>(
    new Address(page.url).resolve(action),
    { handle, user, decision: 'allow' },
    { redirects: 0, tags: tag('provider page') },
  )
  const returned = follow(submitPostedForm(submitted), 'callback', redirect_uri).headers.Location ?? ''
  const code = parameter(returned, 'code')
  const isOurs = returned.startsWith(redirect_uri) && parameter(returned, 'state') === state
  if (!check(returned, { 'the application gets a code': () => code !== undefined && isOurs })) return undefined

  const grant = { grant_type: 'authorization_code', code: code ?? '', redirect_uri, client_id, client_secret }
  const tokens = http.post<'text'>(`${auth}/oauth2/token`, grant, { tags: tag('token') })
  if (!check(tokens, { 'the code is redeemed': () => tokens.status === 200 })) return undefined

  const headers = { authorization: `Bearer ${tokens.json('access_token')}` }
  const userinfo = http.get<'text'>(`${auth}/oauth2/userinfo`, { headers, tags: tag('userinfo') })
  const identifier = userinfo.status === 200 ? String(userinfo.json('sub')) : ''
  if (!check(identifier, { 'userinfo names the user': () => /^[0-9a-f]{40}$/.test(identifier) })) return undefined
  return { identifier, id_token: String(tokens.json('id_token')) }
}

function tag(step: Step): { name: string; operation: string } {
  return { name: step, operation: step }
}

function open(address: string, step: Step): Response {
  return http.get<'text'>(address, { redirects: 0, tags: tag(step) })
}

/** With form_post, the provider lets the browser post a form to the callback. */
function submitPostedForm(submitted: Response): Response {
  const form = submitted.html('form')
  const action = form.attr('action')
  if (submitted.status !== 200 || action === undefined) return submitted
  const fields = form.find('input[type=hidden]').toArray()
  const values = Object.fromEntries(fields.map((field) => [field.attr('name') ?? '', field.attr('value') ?? '']))
  return http.post<'text'>(action, values, { redirects: 0, tags: tag('callback') })
}

/** Follows redirects, except to the application. */
function follow(first: Response, step: Step, redirectUri: string): Response {
  let response = first
  for (let hops = 0; hops < 5; hops++) {
    const location = response.headers.Location
    if (location === undefined || location.startsWith(redirectUri)) break
    response = open(new Address(response.url).resolve(location), step)
  }
  return response
}

function form(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
}

function parameter(address: string, name: string): string | undefined {
  const found = new RegExp(`[?&]${name}=([^&#]*)`).exec(address)?.[1]
  return found === undefined ? undefined : decodeURIComponent(found)
}

/** k6 has no `URL`. */
class Address {
  readonly origin: string

  constructor(address: string) {
    this.origin = /^https?:\/\/[^/]+/.exec(address)?.[0] ?? ''
  }

  resolve(location: string): string {
    return location.startsWith('/') ? this.origin + location : location
  }
}
