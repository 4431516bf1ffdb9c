import { randomBytes, randomUUID } from 'node:crypto'
import { beforeAll } from 'vitest'
import { z } from 'zod'
import type { Provider, ProviderData, providerAuthContract } from '#contracts'
import { createEncryptor, EncryptionKeys, keyRing, newToken, type RunningService } from '#runtime'
import { openForTest, type SharedStack, sharedStack, startForTest, startStack } from '#testing'
import { readConfig } from '../config.ts'
import { toClaims } from '../domain/claims.ts'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import { service } from '../service.ts'
import { insertAuthorizationCode } from '../store/authorization-codes.ts'

type Registration = z.input<(typeof providerAuthContract.procedures.registerClient)['input']>

export const redirectUri = 'https://shop.example.com/callback?keep=1'

export const providerData: ProviderData = {
  profile: { full_name: '山田 "太郎" </script>', user_name: 'taro', gender: 1 },
  follow: null,
  email: [{ email: 'taro@example.com', verified: true }],
  phone: [],
}

const Tokens = z.strictObject({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.literal(3_600),
  id_token: z.string(),
  scope: z.string(),
})
const PublishedKeys = z.object({ keys: z.array(z.looseObject({ kid: z.string() })) })

export async function fetchKeys(base: string) {
  return PublishedKeys.parse(await (await fetch(`${base}/oauth2/jwks`)).json()).keys
}

export interface TestClient {
  readonly client_id: string
  readonly client_secret: string
}

/** A site of the shared stack with logins that have just been completed with a code. */
export async function openLogins() {
  return loginsIn(await sharedStack())
}

/** The same in a separate stack. */
export async function startLogins() {
  return loginsIn(await startStack())
}

/** As `openLogins`, for a test file: an empty object that is filled before tests and later hooks run. */
export function createLoginsFixture(): SharedLogins {
  return createFixture(openLogins)
}

/** As `startLogins`, for a test file. The stack stops after the tests. */
export function createOwnLoginsFixture(): Logins {
  return createFixture(startLogins)
}

function createFixture<L extends SharedLogins>(open: () => Promise<L>): L {
  // Filled before the first test.
  const logins = {} as L
  beforeAll(async () => {
    Object.assign(logins, await open())
    return () => logins[Symbol.asyncDispose]()
  })
  return logins
}

async function loginsIn<C extends SharedStack & Partial<AsyncDisposable>>(serviceStack: C) {
  await using starting = new AsyncDisposableStack()
  starting.defer(() => serviceStack[Symbol.asyncDispose]?.())
  const { identity, provider_auth, call, auth, encryption_keys } = serviceStack
  const { knex } = starting.use(openForTest(serviceStack.database_urls.provider_auth))
  const encryptor = starting.use(await createEncryptor(keyRing(EncryptionKeys.parse(encryption_keys))))
  const siteId = `shop-${randomBytes(6).toString('hex')}`
  const { site } = await identity.registerSite({ account: 'test', site_id: siteId, name: 'shop' }, call())

  const registerClient = async (options: Partial<Registration> = {}): Promise<TestClient> => {
    const usual: Registration = { site, name: 'shop', kind: 'confidential', redirect_uris: [redirectUri] }
    const { client_id, client_secret } = await provider_auth.registerClient({ ...usual, ...options }, call())
    return { client_id, client_secret: client_secret ?? '' }
  }
  const createUser = async (primaryKey?: string): Promise<string> => {
    const links = [{ provider: 'messaging', provider_user_id: newToken('U') } as const]
    const { user } = await identity.createUser({ site, links, ...(primaryKey && { primary_key: primaryKey }) }, call())
    return user.identifier
  }
  const linkIds = new Map<string, string>()
  /** The ID of a user's link, or a random one for a link that identity does not have. */
  const linkIdOf = async (identifier: string, provider: Provider = 'messaging'): Promise<string> => {
    const known = linkIds.get(`${identifier} ${provider}`)
    if (known !== undefined) return known
    const { links } = await identity.resolveUser({ site, identifier }, call()).catch(() => ({ links: [] }))
    const linkId = links.find((link) => link.provider === provider)?.link_id ?? randomUUID()
    linkIds.set(`${identifier} ${provider}`, linkId)
    return linkId
  }
  /** Completes a login, of a new user by default, and returns its code. */
  const endLogin = async (
    clientId: string,
    options: Partial<Parameters<typeof insertAuthorizationCode>[2]> = {},
  ): Promise<{ code: string; identifier: string; provider_user_id: string }> => {
    const identifier = options.identifier ?? (await createUser())
    const code = newToken(tokenPrefixes.authorization_code)
    const scope = options.scope ?? ['openid']
    const linkId = await linkIdOf(identifier, options.provider)
    const login = {
      link_id: linkId,
      code,
      client_id: clientId,
      redirect_uri: redirectUri,
      site,
      identifier,
      scope,
      provider_user_id: 'U1',
      auth_time: new Date(),
      recorded_at: new Date(),
      nonce: null,
      code_challenge: null,
      code_challenge_method: null,
      claims: toClaims(providerData, scope, new Date()),
      provider: 'messaging',
      login_id: null,
      ...options,
    } as const
    await knex.transaction((trx) => insertAuthorizationCode(trx, encryptor, login))
    return login
  }
  const postToken = (form: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${auth}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form), headers })
  /** A valid token request with `client_secret_post`; parameters of `changes` replace or add, `''` removes. */
  const redeem = (client: TestClient, code: string, changes: Record<string, string> = {}) => {
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...client, ...changes }
    return postToken(Object.fromEntries(Object.entries(form).filter(([, value]) => value !== '')))
  }
  /** As `redeem`, which succeeds. */
  const fetchTokens = async (client: TestClient, code: string) =>
    Tokens.parse(await (await redeem(client, code)).json())
  const userinfo = (accessToken: string) =>
    fetch(`${auth}/oauth2/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } })

  /** Another process of the same service. */
  const startReplica = (changes: Record<string, string> = {}): Promise<RunningService<{ port: number }>> => {
    const { database_urls, nats, redis, simulator } = serviceStack
    const parts = { DATABASE_URL: database_urls.provider_auth, NATS_URL: nats.url, REDIS_URL: redis.url }
    const own = {
      PORT: '0',
      NODE_ENV: 'test',
      AUTH_URL: auth,
      ENCRYPTION_KEYS: encryption_keys,
      // Replicas also carry out jobs that other test files of the worker enqueued.
      PROVIDER_SIMULATOR_URL: simulator,
    }
    return startForTest('provider-auth', { readConfig, service }, { ...parts, ...own, ...changes })
  }

  const stack = starting.move()
  return {
    serviceStack,
    site,
    site_id: siteId,
    knex,
    encryptor,
    auth,
    encryption_keys,
    registerClient,
    createUser,
    linkIdOf,
    endLogin,
    postToken,
    redeem,
    fetchTokens,
    userinfo,
    startReplica,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

export type Logins = Awaited<ReturnType<typeof startLogins>>
export type SharedLogins = Awaited<ReturnType<typeof openLogins>>

export function basic({ client_id, client_secret }: TestClient): { authorization: string } {
  return { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` }
}
