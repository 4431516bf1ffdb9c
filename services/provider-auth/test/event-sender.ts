import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'

/** The device and the search provider as senders of webhooks: their own keys, published at URLs. */
export interface EventSender extends AsyncDisposable {
  readonly url: string
  /** The status of responses for the keys; 200 by default. */
  status: number
  /** A valid webhook of the device provider; `claims` replace or add claims, undefined ones are omitted. */
  readonly sign: (event: object, claims?: Readonly<Record<string, unknown>>, key?: CryptoKey) => Promise<string>
}

export async function startEventSender(clientId: string): Promise<EventSender> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' }
  const server = createServer((request, response) => {
    const found = request.url === '/device/auth/keys' || request.url === '/search/oauth2/v3/certs'
    response.writeHead(found ? sender.status : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ keys: [jwk] }))
  })
  server.listen(0)
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('No port.')
  const url = `http://localhost:${address.port}`
  const sender: EventSender = {
    url,
    status: 200,
    sign(event, claims = {}, key = privateKey) {
      const iat = Math.floor(Date.now() / 1_000)
      const usual = { iss: `${url}/device`, aud: clientId, iat, exp: iat + 600, jti: crypto.randomUUID() }
      const received = { ...usual, events: JSON.stringify(event), ...claims }
      return new SignJWT(received).setProtectedHeader({ alg: 'RS256', kid: 'key-1' }).sign(key)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return sender
}

/** A `signed_request` of the social provider. */
export function signRequest(payload: object, appSecret: string): string {
  const encoded = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${createHmac('sha256', appSecret).update(encoded).digest('base64url')}.${encoded}`
}
