import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { builtInLoginProviders } from '#contracts'
import { requireProgram } from '#local'
import type { RedisClient } from '#runtime'
import { inspectRedis, openForTest, runsAsOneProcess } from '#testing'
import {
  buildAuthorizeUrl,
  buildLinkUrl,
  fetchOneTimeToken,
  getLocation,
  openRedirect,
  openTestBrowser,
  type ProviderName,
  submitLinkDecision,
  submitProviderSignIn,
  type TestBrowser,
} from './browser.ts'
import { createOwnSiteFixture } from './site-fixture.ts'

/** What leaves the services besides stored data, since the start of the stack. */
const observed = { log: [] as string[], subjects: new Set<string>(), bytes: [] as Buffer[] }
const { serviceStack, site, application } = createOwnSiteFixture(() => ({
  observer: {
    log: { write: (line) => observed.log.push(line) },
    observeSubject: (subject) => observed.subjects.add(subject),
    observeBytes: (bytes) => observed.bytes.push(bytes),
  },
}))

/** Secrets that must not be readable in a dump, with a name. */
const secrets = new Map<string, string>()
const addSecret = (name: string, secret: unknown) => {
  if (typeof secret !== 'string' || secret.length < 12) throw new Error(`${name} is no secret: ${secret}`)
  secrets.set(name, secret)
}
/** Adds a value of a profile that nothing else contains by chance. */
const addPersonalValue = (name: string, value: string) => {
  if (value.length >= 12 && !/^\d{4}-\d\d-\d\d/.test(value)) addSecret(`${name}: ${value}`, value)
}
const addParameters = (of: string, address: string, ...names: string[]) => {
  const parameters = new URL(address).searchParams
  for (const name of names) if (parameters.has(name)) addSecret(`${name} ${of}`, parameters.get(name))
}
const addCookies = (of: string, { cookies }: TestBrowser) => {
  for (const [name, value] of cookies) if (!name.includes('simulator')) addSecret(`cookie ${name} ${of}`, value)
}

async function webApi(operation: string, parameters: Readonly<Record<string, string>>) {
  const headers = {
    authorization: `Bearer ${site.api_key}`,
    'idempotency-key': `${operation} ${parameters.identifier}`,
  }
  const body = new URLSearchParams(parameters)
  const response = await fetch(`${serviceStack.web_api}/${operation}`, { method: 'POST', headers, body })
  return z.looseObject({ status: z.literal('ok') }).parse(await response.json())
}

/** Logs in with one provider, completely and up to different steps, and collects the secrets. */
async function createSecrets(provider: ProviderName): Promise<void> {
  const user = `Person of ${provider}`
  const withVerifier = () => {
    const verifier = randomBytes(32).toString('hex')
    addSecret(`code_verifier ${provider} ${secrets.size}`, verifier)
    return { code_challenge: verifier, code_challenge_method: 'plain', code_verifier: verifier }
  }
  const logInAs = async (of: string) => {
    const { code_verifier, ...challenge } = withVerifier()
    const browser = openTestBrowser()
    const atProvider = await openRedirect(
      browser,
      buildAuthorizeUrl(site, provider, { ...challenge, nonce: undefined }),
    )
    addParameters(`to ${of}`, atProvider, 'state', 'nonce')
    addCookies(`under way, ${of}`, browser)
    const fromProvider = await submitProviderSignIn(browser, atProvider, { user })
    addParameters(`from ${of}`, fromProvider, 'code')
    const callback = new URL(getLocation(await browser.open(fromProvider)))
    addParameters(`for the application, ${of}`, callback.href, 'code')
    addCookies(of, browser)
    return { callback, code_verifier }
  }
  const { callback, code_verifier } = await logInAs(provider)
  const { access_token, id_token } = await application.redeem(callback, { code_verifier })
  addSecret(`access token, ${provider}`, access_token)
  addSecret(`ID Token, ${provider}`, id_token)
  const { sub: identifier = '' } = await application.verify(id_token)
  await logInAs(`${provider}, not redeemed`)

  const { code_verifier: _, ...challenge } = withVerifier()
  const waiting = openTestBrowser()
  const atProvider = await openRedirect(waiting, buildAuthorizeUrl(site, provider, challenge))
  addParameters(`pending, ${provider}`, atProvider, 'state', 'nonce')
  addCookies(`pending, ${provider}`, waiting)

  addSecret(`one-time token, ${provider}`, await fetchOneTimeToken(serviceStack, site, { provider, user }))
  const other = builtInLoginProviders.find((name) => name !== provider) ?? provider
  const { authenticate_uri } = await webApi('association_token', { identifier, target_provider: other })
  const linking = openTestBrowser()
  const address = buildLinkUrl(z.string().parse(authenticate_uri), site)
  addParameters(`linking, ${provider}`, address, 'token', 'association_token')
  addParameters(`linking, ${provider}`, getLocation(await submitLinkDecision(linking, address)), 'state', 'nonce')
  addCookies(`linking, ${provider}`, linking)

  const query = new URLSearchParams({ key: site.api_key, identifier })
  const response = await fetch(`${serviceStack.web_api}/user_attribute?${query}`)
  const { providers } = z.object({ providers: z.record(z.string(), z.looseObject({})) }).parse(await response.json())
  const { profile, email, phone } = await serviceStack.profile.readProfile(
    { site: site.site, identifier },
    serviceStack.call(),
  )
  for (const [name, value] of listTexts(profile)) addPersonalValue(`${name} of ${provider}`, value)
  for (const entry of email) addPersonalValue(`e-mail address of ${provider}`, entry.email)
  for (const { number } of phone) addPersonalValue(`phone number of ${provider}`, number)
  const given = Object.entries(providers[provider] ?? {}).filter(([field]) => /token|secret/.test(field))
  const tokens = given.filter(([, value]) => value !== null)
  if (given.length > 0) expect(tokens).not.toHaveLength(0)
  for (const [field, value] of tokens) addSecret(`${field} of ${provider}`, value)
}

/** The texts of a profile, by the name of the field. */
function listTexts(profile: Readonly<Record<string, unknown>>): (readonly [string, string])[] {
  return Object.entries(profile).flatMap(([name, value]) =>
    [value].flat().flatMap((text) => (typeof text === 'string' ? [[name, text] as const] : [])),
  )
}

/** All stored data as text, as in a stolen backup. */
async function dump(): Promise<string[]> {
  const { path } = await requireProgram('postgres')
  const pgDump = join(dirname(await realpath(path)), 'pg_dump')
  const databases = await Promise.all(
    Object.values(serviceStack.database_urls).map(async (url) => {
      const { stdout } = await promisify(execFile)(pgDump, [url], { maxBuffer: 1 << 28 })
      return stdout
    }),
  )
  using redis = await inspectRedis(serviceStack.redis.url)
  const keys = await redis.listKeys()
  const entries = await Promise.all(keys.map((name) => valuesOf(redis.client, name)))
  return [...databases, ...keys, ...entries.flat()].flatMap((text) => [text, ...decodedParts(text)])
}

async function valuesOf(redis: RedisClient, name: string): Promise<string[]> {
  const type = await redis.type(name)
  if (type === 'string') return [(await redis.getBuffer(name))?.toString('latin1') ?? '']
  if (type === 'hash') return Object.entries(await redis.hgetall(name)).flat()
  if (type === 'zset') return redis.zrange(name, '0', '-1')
  if (type === 'set') return redis.smembers(name)
  if (type === 'list') return redis.lrange(name, 0, -1)
  if (type === 'none') return []
  throw new Error(`The test does not know how to read a ${type}.`)
}

/** Decodes the hex and base64 parts of a text. */
function decodedParts(text: string): string[] {
  const decoded = (pattern: RegExp, encoding: 'hex' | 'base64') =>
    (text.match(pattern) ?? []).map((part) => Buffer.from(part, encoding).toString('latin1'))
  const once = [...decoded(/(?<=\\x)(?:[0-9a-f]{2}){8,}/g, 'hex'), ...decoded(/[A-Za-z0-9+/_-]{16,}=*/g, 'base64')]
  return [once.join('\n')]
}

/** The encodings in which a secret can be stored. */
function writings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  // Within an encoded text, the base64 of a secret depends on its offset; the characters at both ends also depend on
  // the neighboring bytes.
  const shifted = [0, 1, 2].map((by) =>
    Buffer.concat([Buffer.alloc(by), bytes])
      .toString('base64')
      .slice(by === 0 ? 0 : 4, -4),
  )
  const base64 = shifted.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), bytes.toString('hex'), ...base64]
}

function secretsIn(texts: readonly string[]): string[] {
  const received = [...secrets].filter(([, secret]) =>
    writings(secret).some((writing) => texts.some((text) => text.includes(writing))),
  )
  return received.map(([name]) => name)
}

beforeAll(async () => {
  addSecret('API key', site.api_key)
  addSecret('client secret', site.client.client_secret)
  for (const [provider, { client_secret }] of Object.entries(site.providers))
    addSecret(`client secret at ${provider}`, client_secret)
  await serviceStack.identity.changeSite({ site: site.site, profile_in_events: true }, serviceStack.call())
  await Promise.all(builtInLoginProviders.map(createSecrets))
  expect(secrets.size).toBeGreaterThan(20 * builtInLoginProviders.length)
})

test('a dump of the databases and of Redis contains no known secret, and nothing of a profile', async () => {
  const texts = await dump()
  for (const there of [site.client.client_id, 'provider-auth:session:', 'provider-auth:used-login:'])
    expect(texts.some((text) => text.includes(there))).toBe(true)
  expect(secretsIn(texts)).toEqual([])
})

test('neither logs, nor subjects on the bus, nor the bytes to NATS with TLS contain any of them', () => {
  const log = observed.log.join('')
  for (const service of ['identity', 'profile', 'provider-auth', 'api-gateway', 'events'])
    expect(log).toContain(`"service":"${service}"`)
  const subjects = [...observed.subjects].join('\n')
  if (!runsAsOneProcess) expect(subjects).toContain('profile.recordProviderData')
  const bytes = Buffer.concat(observed.bytes).toString('latin1')
  // What NATS sends before TLS begins.
  expect(bytes).toContain('INFO {')
  expect(secretsIn([log, subjects, bytes, ...decodedParts(log)])).toEqual([])
})

test('the search would find a secret in any column, as text, bytes, hex, base64 or JSON in base64, and in Redis', async () => {
  const { knex, [Symbol.asyncDispose]: dispose } = openForTest(serviceStack.database_urls.profile)
  const planted = ['text', 'bytes', 'hex', 'base64', 'within base64', 'in redis'].map((name) => {
    const secret = `planted:${randomBytes(16).toString('base64')}`
    addSecret(name, secret)
    return { name, secret, bytes: Buffer.from(secret) }
  })
  const [text, bytes, hex, base64, within, inRedis] = planted
  using redis = await inspectRedis(serviceStack.redis.url)
  try {
    await knex.raw('create table planted (text text, bytes bytea, hex text, base64 text, within jsonb)')
    await knex('planted').insert({
      text: text?.secret,
      bytes: bytes?.bytes,
      hex: hex?.bytes.toString('hex'),
      base64: base64?.bytes.toString('base64'),
      within: { encrypted: btoa(JSON.stringify({ a: within?.secret })) },
    })
    await redis.client.hset('planted', 'field', JSON.stringify({ secret: inRedis?.secret }))
    expect(secretsIn(await dump())).toEqual(planted.map(({ name }) => name))
  } finally {
    await dispose()
    for (const { name } of planted) secrets.delete(name)
  }
})
