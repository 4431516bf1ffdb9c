import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import type { SeededProvider, SharedStack } from '#testing'

const TokenResponse = z.looseObject({})
type TokenResponse = z.infer<typeof TokenResponse>

/**
 * A proxy between a client and us: its metadata are ours, except for an authorization endpoint that leads directly to
 * one provider, and a token endpoint that forwards requests and changes our responses.
 */
export interface TokenProxy extends AsyncDisposable {
  readonly metadata_url: string
  readonly token_endpoint: string
  /** Changes the token endpoint's responses from now on; undefined stops the change. */
  readonly alter: (change: ((result: TokenResponse) => TokenResponse) | undefined) => void
}

export async function startTokenProxy({ auth }: SharedStack, provider: SeededProvider): Promise<TokenProxy> {
  const unaltered = (response: TokenResponse) => response
  let change = unaltered
  const metadata = async () => {
    const response = await fetch(`${auth}/.well-known/openid-configuration`)
    const ours = TokenResponse.parse(await response.json())
    return { ...ours, authorization_endpoint: provider.authorize_uri, token_endpoint: `${base}/token` }
  }
  const token = async (request: IncomingMessage) => {
    const { authorization, 'content-type': type = '' } = request.headers
    const headers = { 'content-type': type, ...(authorization !== undefined && { authorization }) }
    const body = await readAll(request)
    const response = await fetch(`${auth}/oauth2/token`, { method: 'POST', headers, body })
    return change(TokenResponse.parse(await response.json()))
  }
  const server = createServer(async (request, response) => {
    const result = request.url === '/token' ? await token(request) : await metadata()
    response.writeHead('error' in result ? 400 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(result))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // as it listens on a port
  const base = `http://127.0.0.1:${port}`
  return {
    metadata_url: `${base}/.well-known/openid-configuration`,
    token_endpoint: `${base}/token`,
    alter(input = unaltered) {
      change = input
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A JWS with another signature of the same length. */
export function withBrokenSignature(jws: string): string {
  const [header, payload, signature = ''] = jws.split('.')
  const broken = Buffer.from(signature, 'base64url')
  broken.writeUInt8(broken.readUInt8(7) ^ 1, 7)
  return [header, payload, broken.toString('base64url')].join('.')
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
