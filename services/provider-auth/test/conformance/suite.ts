import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import { type SeededSite, type SharedStack, seedSite, sharedStack } from '#testing'

const Metadata = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  userinfo_endpoint: z.string(),
  jwks_uri: z.string(),
})
const Keys = z.object({ keys: z.array(z.looseObject({ kid: z.string().min(1), kty: z.string() })) })

/** The client's redirect URIs; the second one has a query. */
export const redirectUris = ['https://shop.example.com/callback', 'https://shop.example.com/other?foo=bar'] as const

/** The start of every module of the suite: discovery, the keys, and a client with its own redirect URI. */
export interface Suite {
  readonly serviceStack: SharedStack
  readonly site: SeededSite
  readonly metadata: z.infer<typeof Metadata>
  readonly keys: JWTVerifyGetKey
}

export async function openSuite(): Promise<Suite> {
  const serviceStack = await sharedStack()
  const site = await seedSite(serviceStack, { redirect_uris: [...redirectUris] })
  const metadata = Metadata.parse(await read(`${serviceStack.auth}/.well-known/openid-configuration`))
  const { keys } = await readKeys(metadata.jwks_uri)
  return { serviceStack, site, metadata, keys: createLocalJWKSet({ keys }) }
}

/** The key set, as the suite checks it each time: a `kid` on every key, all different, and no private part. */
export async function readKeys(jwksUri: string): Promise<z.infer<typeof Keys>> {
  const published = Keys.parse(await read(jwksUri))
  const kids = new Set(published.keys.map(({ kid }) => kid))
  if (kids.size === 0 || kids.size !== published.keys.length) throw new Error('Keys need a kid each, of their own.')
  for (const key of published.keys)
    for (const part of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'])
      if (part in key) throw new Error(`The key ${key.kid} is published with its private part ${part}.`)
  return published
}

async function read(address: string): Promise<unknown> {
  const response = await fetch(address)
  if (response.status !== 200) throw new Error(`${address} returned ${response.status}`)
  return response.json()
}
