import { createHash } from 'node:crypto'
import { type JWTPayload, jwtVerify } from 'jose'
import { expect } from 'vitest'
import { z } from 'zod'
import { buildAuthorizeUrl, openTestBrowser, type TestBrowser } from '../browser.ts'
import { type Flow, getProvider } from './flows.ts'
import { type BrowserLogin, followLogin } from './follow-login.ts'
import { StandardClaims } from './standard-claims.ts'
import type { Suite } from './suite.ts'

type Changes = Readonly<Record<string, string | undefined>>

export const Tokens = z.looseObject({
  access_token: z.string().min(1),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.number().positive(),
  id_token: z.string(),
})

/** A successful login after all checks of the suite. */
export interface Authentication {
  readonly claims: JWTPayload
  readonly id_token: string
  /** The claims of userinfo; in the `id_token` flow those of the ID Token. */
  readonly userClaims: StandardClaims
  readonly interactions: number
}

interface How {
  readonly browser?: TestBrowser
  readonly method?: 'GET' | 'POST'
  /** The parameters in the opposite order. */
  readonly reversed?: boolean
  readonly user?: string
}

/** The suite's relying party: sends plain HTTP requests and checks tokens with jose. */
export function relyingParty({ site, metadata, keys }: Suite, flow: Flow) {
  const { client_id, client_secret, redirect_uri } = site.client
  const basic = { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` }
  const nonce = `nonce-${crypto.randomUUID()}`
  const state = `state-${crypto.randomUUID()}`

  /** Sends an authorization request and follows it; `changes` replace or add parameters, undefined removes them. */
  const request = async (changes: Changes = {}, how: How = {}): Promise<BrowserLogin> => {
    const { browser = openTestBrowser(), method = 'GET', reversed = false, user = 'Hanako Yamada' } = how
    const { response_type, response_mode, path } = flow
    const provider = getProvider(flow)
    const address = buildAuthorizeUrl(site, provider, {
      response_type,
      ...(response_mode === 'form_post' && { response_mode }),
      scope: 'openid',
      state,
      nonce,
      ...changes,
    })
    const [providerPath = '', query] = address.split('?')
    const endpoint = path === 'choice' ? metadata.authorization_endpoint : providerPath
    const pairs = [...new URLSearchParams(query)]
    const parameters = Object.fromEntries(reversed ? pairs.reverse() : pairs)
    const first =
      method === 'POST'
        ? await browser.open(endpoint, parameters)
        : await browser.open(`${endpoint}?${new URLSearchParams(parameters)}`)
    const { authorize_uri } = site.providers[provider]
    return followLogin(browser, first, { redirect_uri: changes.redirect_uri ?? redirect_uri, user, authorize_uri })
  }

  /** The parameters of a response, which are only in the place that the flow defines. */
  const locate = ({ response: result, form, page }: BrowserLogin): URLSearchParams => {
    if (flow.response_mode === 'form_post' && form !== undefined) return new URLSearchParams(form.fields)
    if (flow.response_mode === 'form_post' || result === undefined)
      throw new Error(`Expected a response by ${flow.response_mode}, not ${result?.href ?? page?.status}`)
    const [here, elsewhere] =
      flow.response_type === 'code' ? [result.search, result.hash] : [result.hash, result.search]
    expect(elsewhere).toBe('')
    return new URLSearchParams(here.slice(1))
  }

  /** As `locate`, with the state and the issuer checked. */
  const read = (visited: BrowserLogin, expectedState = state): URLSearchParams => {
    const parameters = locate(visited)
    expect(parameters.get('state')).toBe(expectedState)
    expect(parameters.get('iss')).toBe(metadata.issuer)
    return parameters
  }

  const redeem = (
    code: string,
    changes: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = basic,
  ) => {
    const form = { grant_type: 'authorization_code', code, redirect_uri, ...changes }
    return fetch(metadata.token_endpoint, { method: 'POST', headers, body: new URLSearchParams(form) })
  }

  const verify = async (idToken: string, expectedNonce: string | undefined): Promise<JWTPayload> => {
    const times = { maxTokenAge: 300, clockTolerance: 5 }
    const checks = { issuer: metadata.issuer, audience: client_id, algorithms: ['RS256'], ...times }
    const { payload, protectedHeader } = await jwtVerify(idToken, keys, checks)
    expect(protectedHeader.kid).toBeTypeOf('string')
    expect(payload).toMatchObject({ exp: expect.any(Number), iat: expect.any(Number) })
    expect(payload.nonce).toBe(expectedNonce)
    StandardClaims.parse(payload)
    return payload
  }

  const userinfo = async (accessToken: string, init: RequestInit = {}): Promise<StandardClaims> => {
    const headers = { authorization: `Bearer ${accessToken}` }
    const response = await fetch(metadata.userinfo_endpoint, { headers, ...init })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    return StandardClaims.parse(await response.json())
  }

  return {
    request,
    locate,
    read,
    redeem,

    /** Completes a login with all checks of the suite. */
    async authenticate(changes: Changes = {}, how: How = {}, verifier?: string): Promise<Authentication> {
      const visited = await request(changes, how)
      const parameters = read(visited, changes.state)
      expect(parameters.get('error_description')).toBeNull()
      const expectedNonce = 'nonce' in changes ? changes.nonce : nonce
      const { interactions } = visited
      if (flow.response_type === 'id_token') {
        expect([...parameters.keys()].sort()).toEqual(['id_token', 'iss', 'state'])
        const idToken = parameters.get('id_token') ?? ''
        const claims = await verify(idToken, expectedNonce)
        return { claims, id_token: idToken, userClaims: StandardClaims.parse(claims), interactions }
      }
      expect([...parameters.keys()].sort()).toEqual(['code', 'iss', 'state'])
      const proof = verifier === undefined ? undefined : { code_verifier: verifier }
      const response = await redeem(parameters.get('code') ?? '', proof)
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
      const { id_token, access_token } = Tokens.parse(await response.json())
      const claims = await verify(id_token, expectedNonce)
      expect(claims.at_hash).toBe(hashLeftHalf(access_token))
      const userClaims = await userinfo(access_token)
      expect(userClaims.sub).toBe(claims.sub)
      return { claims, id_token, userClaims, interactions }
    },
  }
}

/** `at_hash` for an ID Token that is signed with RS256 (OpenID Connect Core 3.1.3.6). */
function hashLeftHalf(accessToken: string): string {
  return createHash('sha256').update(accessToken, 'ascii').digest().subarray(0, 16).toString('base64url')
}
