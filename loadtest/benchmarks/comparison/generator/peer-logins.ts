import { z } from 'zod'
import {
  openTestBrowser,
  submitProviderSignIn,
  type TestBrowser,
} from '../../../../services/provider-auth/test/browser.ts'
import type { LoginTarget } from './protocol.ts'

type Peer = Extract<LoginTarget, { kind: 'oidc-provider' }>

/** End users who log in repeatedly, as many as at the product. */
const userCount = 20
const scope = 'openid profile email'

/** The authorization request of a peer's client. */
export function buildPeerAuthorizeUrl({ address, client }: Omit<Peer, 'kind'>): string {
  const url = new URL('/auth', address)
  const { client_id, redirect_uri } = client
  for (const [name, value] of Object.entries({ client_id, redirect_uri, response_type: 'code', scope, state: 'bench' }))
    url.searchParams.set(name, value)
  return url.href
}

/**
 * A whole login at a peer: authorization endpoint, login form, token, userinfo.
 *
 * @returns the access token
 */
export async function logInAtPeer(peer: Omit<Peer, 'kind'>, n: number): Promise<string> {
  const { address, client } = peer
  const browser = openTestBrowser()
  const form = await follow(browser, buildPeerAuthorizeUrl(peer))
  const page = await browser.open(form)
  await page.arrayBuffer()
  if (page.status !== 200) throw new Error(`The login form returned ${page.status}.`)
  const resume = await follow(browser, `${form}/login`, { user: `user-${n % userCount}` })
  const code = new URL(await follow(browser, resume)).searchParams.get('code') ?? ''
  const { client_id, client_secret, redirect_uri } = client
  const redeemed = await fetch(`${address}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` },
    body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri }),
  })
  const { access_token } = z.object({ access_token: z.string(), id_token: z.string() }).parse(await redeemed.json())
  const userinfo = await fetch(`${address}/me`, { headers: { authorization: `Bearer ${access_token}` } })
  await userinfo.arrayBuffer()
  if (!userinfo.ok) throw new Error(`userinfo returned ${userinfo.status}.`)
  return access_token
}

/** A login at the simulated provider for a client that does nothing else. */
export async function fetchFromProvider(address: string, n: number): Promise<void> {
  const browser = openTestBrowser()
  const atProvider = await follow(browser, `${address}/start`)
  const callback = await submitProviderSignIn(browser, atProvider, { user: `User ${n % userCount}` })
  const response = await browser.open(callback)
  const text = await response.text()
  if (!response.ok) throw new Error(`The exchange returned ${response.status}: ${text}`)
}

/** The address that the response redirects to. */
async function follow(browser: TestBrowser, address: string, form?: Record<string, string>): Promise<string> {
  const response = await browser.open(address, form)
  const location = response.headers.get('location')
  const text = await response.text()
  if (location === null) throw new Error(`${address} returned ${response.status}: ${text.slice(0, 500)}`)
  return new URL(location, address).href
}
