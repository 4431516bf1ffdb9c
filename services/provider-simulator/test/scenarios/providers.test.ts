import { describe, expect, test } from 'vitest'
import { endScenarios, startScenario } from '../scenario-api.ts'
import { advanceTime, get, locationOf, openForm, requireText, sendForm, signIn } from '../simulator.ts'
import { authorization, exchange, logIn, providers, refresh, setSimulator, url, userinfo } from './logins.ts'

setSimulator()

describe.each(providers)('$provider', (at) => {
  const { provider } = at

  test('a denied login is denied after Allow too, at this provider', async () => {
    await startScenario(url, { scenario: 'deny', name: 'Hanako', provider })
    const { searchParams } = await signIn(authorization(at), { user: 'Hanako' })
    expect(searchParams.has('code')).toBe(false)
    expect(Object.fromEntries(searchParams)).toMatchObject({ ...at.denial, state: 's' })
    expect((await signIn(authorization(at), { user: 'Taro' })).searchParams.has('code')).toBe(true)
  })

  test('a provider where every login is denied shows no page', async () => {
    await startScenario(url, { scenario: 'deny', provider })
    const { searchParams } = locationOf(await fetch(authorization(at), { redirect: 'manual' }))
    expect(Object.fromEntries(searchParams)).toMatchObject({ ...at.denial, state: 's' })
  })

  test('a user without an e-mail address has none in ID Token and userinfo, although it was allowed', async () => {
    const received = async () => {
      const { claims, access_token } = await logIn(at)
      return { ...claims, ...(await userinfo(at, access_token)).json }
    }
    expect(await received()).toMatchObject({
      email: expect.stringContaining('@'),
      ...(at.says_verified && { email_verified: true }),
    })
    await startScenario(url, { scenario: 'no_email', name: 'Hanako' })
    expect(Object.keys(await received()).filter((claim) => claim.startsWith('email'))).toEqual([])
  })

  test('an unverified e-mail address has email_verified false at providers that send it', async () => {
    await startScenario(url, { scenario: 'unverified_email', name: 'Hanako' })
    const { claims, access_token } = await logIn(at)
    const received = { ...claims, ...(await userinfo(at, access_token)).json }
    expect(received).toMatchObject({ email: expect.stringContaining('@') })
    if (at.says_verified) expect(received).toMatchObject({ email_verified: false })
    else expect(received).not.toHaveProperty('email_verified')
  })

  test.each(['revoked', 'account_deleted'])('%s: tokens issued before are invalid', async (scenario) => {
    const { access_token, refresh_token } = await logIn(at)
    const other = await logIn(at, 'Taro')
    expect((await userinfo(at, access_token)).status).toBe(200)
    await startScenario(url, { scenario, name: 'Hanako', provider })
    expect((await userinfo(at, access_token)).status).toBe(401)
    expect(await refresh(at, refresh_token)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
    expect((await userinfo(at, other.access_token)).status).toBe(200)
  })

  test('a new login after the consent was revoked returns valid tokens, including a refresh token', async () => {
    await logIn(at)
    await startScenario(url, { scenario: 'revoked', name: 'Hanako' })
    advanceTime(1)
    const { access_token, refresh_token } = await logIn(at)
    expect((await userinfo(at, access_token)).status).toBe(200)
    expect((await refresh(at, refresh_token)).status).toBe(200)
  })

  test('a deleted account cannot sign in; the page shows an error and accepts another name', async () => {
    await startScenario(url, { scenario: 'account_deleted', name: 'Hanako' })
    const { handle } = await openForm(authorization(at))
    const rejected = await sendForm(url, { handle, user: 'Hanako', decision: 'allow' })
    expect(rejected.status).toBe(400)
    expect(await rejected.text()).toContain('role="alert">The account with this name was deleted.')
    expect(locationOf(await sendForm(url, { handle, user: 'Taro', decision: 'allow' })).searchParams.has('code')).toBe(
      true,
    )
  })

  test('short-lived access tokens expire after expires_in; a refresh returns the next one', async () => {
    await startScenario(url, { scenario: 'short_access_tokens', name: 'Hanako', seconds: 20 })
    const { access_token, refresh_token, expires_in } = await logIn(at)
    expect(Number(expires_in)).toBeGreaterThan(17)
    expect(Number(expires_in)).toBeLessThanOrEqual(20)
    expect((await userinfo(at, access_token)).status).toBe(200)
    advanceTime(21)
    expect((await userinfo(at, access_token)).status).toBe(401)
    const next = requireText((await refresh(at, refresh_token)).json.access_token)
    expect((await userinfo(at, next)).status).toBe(200)
  })

  test('with 0 seconds an access token is expired when it is issued', async () => {
    await startScenario(url, { scenario: 'short_access_tokens', provider, seconds: 0 })
    const { access_token, expires_in } = await logIn(at)
    expect(expires_in).toBe(0)
    expect((await userinfo(at, access_token)).status).toBe(401)
  })

  test.each([
    ['unsigned_token', { alg: 'none' }],
    ['key_confusion', { alg: at.confused }],
    ['wrong_issuer', { iss: 'https://issuer.invalid' }],
    ['wrong_audience', { aud: 'another-application' }],
    ['wrong_nonce', { nonce: 'nonce-of-another-login' }],
  ])('%s is in the ID Token of that user only', async (scenario, lie) => {
    const tokenOf = async (user: string) => {
      const { header, claims } = await logIn(at, user)
      return { ...header, ...claims }
    }
    await startScenario(url, { scenario, name: 'Hanako', provider })
    expect(await tokenOf('Hanako')).toMatchObject(lie)
    expect(await tokenOf('Taro')).not.toMatchObject(lie)
  })

  test('an expired ID Token expired a day ago', async () => {
    const { exp } = (await logIn(at)).claims
    await startScenario(url, { scenario: 'expired_id_token', provider })
    const { claims } = await logIn(at)
    expect(Number(exp) - Number(claims.exp)).toBeGreaterThan(86_000)
    expect(Number(claims.exp) - Number(claims.iat)).toBe(3_600)
  })

  test('a wrong signature has the right header', async () => {
    const { header } = await logIn(at)
    await startScenario(url, { scenario: 'wrong_signature', provider })
    expect((await logIn(at)).header).toEqual(header)
  })

  test('ID Token and userinfo differ if one of them is about another user', async () => {
    const { claims } = await logIn(at)
    const subjects = async () => {
      const login = await logIn(at)
      return [login.claims.sub, (await userinfo(at, login.access_token)).json.sub]
    }
    const chosen = await startScenario(url, { scenario: 'wrong_subject', provider })
    expect(await subjects()).toEqual([expect.not.stringMatching(`^${claims.sub}$`), claims.sub])
    await endScenarios(url, chosen.id)
    await startScenario(url, { scenario: 'wrong_userinfo', provider })
    expect(await subjects()).toEqual([claims.sub, expect.not.stringMatching(`^${claims.sub}$`)])
  })

  test.each([
    ['unavailable', 503, 'application/json'],
    ['rate_limited', 429, 'application/json'],
    ['html_error', 200, 'text/html'],
  ])('%s: servers get %i %s, end users get their page', async (scenario, status, type) => {
    const code = requireText((await signIn(authorization(at), { user: 'Hanako' })).searchParams.get('code'))
    const { id } = await startScenario(url, { scenario, provider })
    for (const path of [at.token, at.userinfo, at.discovery]) {
      const response = await fetch(`${url}${path}`, { method: path === at.token ? 'POST' : 'GET' })
      expect({ path, status: response.status }).toEqual({ path, status })
      expect(response.headers.get('content-type')).toContain(type)
      expect(response.headers.has('retry-after')).toBe(status === 429)
    }
    await openForm(authorization(at))
    // The rejected request did not use the code, so it is still valid.
    await endScenarios(url, id)
    expect((await exchange(at, code)).status).toBe(200)
  })

  test('servers that hang up send no response', async () => {
    await startScenario(url, { scenario: 'hang_up', provider })
    await expect(fetch(`${url}${at.discovery}`)).rejects.toThrow('fetch failed')
    await openForm(authorization(at))
  })

  test('slow servers respond after the chosen delay', async () => {
    await startScenario(url, { scenario: 'slow', provider, seconds: 0.3 })
    const beganAt = performance.now()
    expect((await get(`${url}${at.discovery}`)).status).toBe(200)
    expect(performance.now() - beganAt).toBeGreaterThan(290)
  })

  test('a wrong discovery document names another issuer and nothing else', async () => {
    const { json } = await get(`${url}${at.discovery}`)
    await startScenario(url, { scenario: 'wrong_discovery', provider })
    expect((await get(`${url}${at.discovery}`)).json).toEqual({ ...json, issuer: 'https://issuer.invalid' })
  })
})

test('only the servers of the chosen provider fail', async () => {
  await startScenario(url, { scenario: 'unavailable', provider: 'portal' })
  expect(await Promise.all(providers.map(async ({ discovery }) => (await fetch(`${url}${discovery}`)).status))).toEqual(
    [200, 503, 200],
  )
})
