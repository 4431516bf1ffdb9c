import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { loginProviders } from '#contracts'
import { requireProgram } from '#local'
import { openForTest, type SeededSite, type ServiceStack, seedSite, startStack } from '#testing'
import { applicationOf } from './application.ts'
import {
  associateAddress,
  authorizeAddress,
  begin,
  fetchOneTimeToken,
  locationOf,
  openTestBrowser,
  type ProviderName,
  submitLinkDecision,
  submitProviderSignIn,
  type TestBrowser,
} from './browser.ts'

let serviceStack: ServiceStack
let site: SeededSite
beforeAll(async () => {
  serviceStack = await startStack()
  site = await seedSite(serviceStack)
})
afterAll(() => serviceStack[Symbol.asyncDispose]())

/** Secrets that must not be readable in a dump, with a name. */
const secrets = new Map<string, string>()
const keep = (name: string, secret: unknown) => {
  if (typeof secret !== 'string' || secret.length < 12) throw new Error(`${name} is no secret: ${secret}`)
  secrets.set(name, secret)
}
const keepParameters = (of: string, address: string, ...names: string[]) => {
  const parameters = new URL(address).searchParams
  for (const name of names) if (parameters.has(name)) keep(`${name} ${of}`, parameters.get(name))
}
const keepCookies = (of: string, { cookies }: TestBrowser) => {
  for (const [name, value] of cookies) if (!name.includes('simulator')) keep(`cookie ${name} ${of}`, value)
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

/** A person logs in with one provider, some of it to the end and some not. */
async function liveThrough(provider: ProviderName): Promise<void> {
  const application = applicationOf(serviceStack, site)
  const user = `Person of ${provider}`
  const withVerifier = () => {
    const verifier = randomBytes(32).toString('hex')
    keep(`code_verifier ${provider} ${secrets.size}`, verifier)
    return { code_challenge: verifier, code_challenge_method: 'plain', code_verifier: verifier }
  }
  const logInAs = async (of: string) => {
    const { code_verifier, ...challenge } = withVerifier()
    const browser = openTestBrowser()
    const atProvider = await begin(browser, authorizeAddress(site, provider, { ...challenge, nonce: undefined }))
    keepParameters(`to ${of}`, atProvider, 'state', 'nonce')
    keepCookies(`under way, ${of}`, browser)
    const fromProvider = await submitProviderSignIn(browser, atProvider, { user })
    keepParameters(`from ${of}`, fromProvider, 'code')
    const callback = new URL(locationOf(await browser.open(fromProvider)))
    keepParameters(`for the application, ${of}`, callback.href, 'code')
    keepCookies(of, browser)
    return { callback, code_verifier }
  }
  const { callback, code_verifier } = await logInAs(provider)
  const { access_token, id_token } = await application.redeem(callback, { code_verifier })
  keep(`access token, ${provider}`, access_token)
  keep(`ID Token, ${provider}`, id_token)
  const { sub: identifier = '' } = await application.verify(id_token)
  await logInAs(`${provider}, not redeemed`)

  const { code_verifier: _, ...challenge } = withVerifier()
  const waiting = openTestBrowser()
  const atProvider = await begin(waiting, authorizeAddress(site, provider, challenge))
  keepParameters(`pending, ${provider}`, atProvider, 'state', 'nonce')
  keepCookies(`pending, ${provider}`, waiting)

  keep(`one-time token, ${provider}`, await fetchOneTimeToken(serviceStack, site, { provider, user }))
  const other = loginProviders.find((name) => name !== provider) ?? provider
  const { authenticate_uri } = await webApi('association_token', { identifier, target_provider: other })
  const linking = openTestBrowser()
  const address = associateAddress(z.string().parse(authenticate_uri), site)
  keepParameters(`linking, ${provider}`, address, 'token', 'association_token')
  keepParameters(`linking, ${provider}`, locationOf(await submitLinkDecision(linking, address)), 'state', 'nonce')
  keepCookies(`linking, ${provider}`, linking)

  const query = new URLSearchParams({ key: site.api_key, identifier })
  const response = await fetch(`${serviceStack.web_api}/user_attribute?${query}`)
  const { providers } = z.object({ providers: z.record(z.string(), z.looseObject({})) }).parse(await response.json())
  const given = Object.entries(providers[provider] ?? {}).filter(([field]) => /token|secret/.test(field))
  const tokens = given.filter(([, value]) => value !== null)
  if (given.length > 0) expect(tokens).not.toHaveLength(0)
  for (const [field, value] of tokens) keep(`${field} of ${provider}`, value)
}

/** Everything at rest, as texts: what a thief of the backups has. */
async function dump(): Promise<string[]> {
  const { path } = await requireProgram('postgres')
  const pgDump = join(dirname(await realpath(path)), 'pg_dump')
  const databases = await Promise.all(
    Object.values(serviceStack.database_urls).map(async (url) => {
      const { stdout } = await promisify(execFile)(pgDump, [url], { maxBuffer: 1 << 28 })
      return stdout
    }),
  )
  const redis = new Redis(serviceStack.redis.url)
  try {
    const keys = await redis.keys('*')
    const entries = await Promise.all(keys.map((name) => valuesOf(redis, name)))
    return [...databases, ...keys, ...entries.flat()].flatMap((text) => [text, ...decodedParts(text)])
  } finally {
    redis.disconnect()
  }
}

async function valuesOf(redis: Redis, name: string): Promise<string[]> {
  const type = await redis.type(name)
  if (type === 'string') return [(await redis.getBuffer(name))?.toString('latin1') ?? '']
  if (type === 'hash') return Object.entries(await redis.hgetall(name)).flat()
  if (type === 'zset') return redis.zrange(name, '0', '-1')
  if (type === 'set') return redis.smembers(name)
  if (type === 'list') return redis.lrange(name, 0, -1)
  if (type === 'none') return []
  throw new Error(`The test does not know how to read a ${type}.`)
}

/** What hex and base64 in a text stand for. */
function decodedParts(text: string): string[] {
  const decoded = (pattern: RegExp, encoding: 'hex' | 'base64') =>
    (text.match(pattern) ?? []).map((part) => Buffer.from(part, encoding).toString('latin1'))
  const once = [...decoded(/(?<=\\x)(?:[0-9a-f]{2}){8,}/g, 'hex'), ...decoded(/[A-Za-z0-9+/_-]{16,}=*/g, 'base64')]
  return [once.join('\n')]
}

/** The ways a secret may be written. */
function writings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  // In the middle of something encoded, base64 reads otherwise by where it begins; its ends belong to the neighbours.
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

test('CR-7 a dump of the databases and of Redis contains no known secret', async () => {
  keep('API key', site.api_key)
  keep('client secret', site.client.client_secret)
  for (const [provider, { client_secret }] of Object.entries(site.providers))
    keep(`client secret at ${provider}`, client_secret)
  await Promise.all(loginProviders.map(liveThrough))
  expect(secrets.size).toBeGreaterThan(20 * loginProviders.length)

  const texts = await dump()
  for (const there of [site.client.client_id, 'provider-auth:session:', 'provider-auth:used-login:'])
    expect(texts.some((text) => text.includes(there))).toBe(true)
  expect(secretsIn(texts)).toEqual([])
})

test('the search would find a secret in any column, as text, bytes, hex, base64 or JSON in base64, and in Redis', async () => {
  const { knex, [Symbol.asyncDispose]: dispose } = openForTest(serviceStack.database_urls.profile)
  const planted = ['text', 'bytes', 'hex', 'base64', 'within base64', 'in redis'].map((name) => {
    const secret = `planted:${randomBytes(16).toString('base64')}`
    keep(name, secret)
    return { name, secret, bytes: Buffer.from(secret) }
  })
  const [text, bytes, hex, base64, within, inRedis] = planted
  const redis = new Redis(serviceStack.redis.url)
  try {
    await knex.raw('create table planted (text text, bytes bytea, hex text, base64 text, within jsonb)')
    await knex('planted').insert({
      text: text?.secret,
      bytes: bytes?.bytes,
      hex: hex?.bytes.toString('hex'),
      base64: base64?.bytes.toString('base64'),
      within: { encrypted: btoa(JSON.stringify({ a: within?.secret })) },
    })
    await redis.hset('planted', 'field', JSON.stringify({ secret: inRedis?.secret }))
    expect(secretsIn(await dump())).toEqual(planted.map(({ name }) => name))
  } finally {
    redis.disconnect()
    await dispose()
    for (const { name } of planted) secrets.delete(name)
  }
})
