import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

type Fields = Readonly<Record<string, string | undefined>>

/** How a microblog of the test deviates from the protocol; everything else is correct. */
export interface MicroblogForgery {
  /** Changes the responses of the token steps; undefined values are omitted. */
  readonly request_token?: Fields
  readonly access_token?: Fields
  /** Changes the callback's parameters. */
  readonly returns?: (parameters: URLSearchParams) => void
  /** Returns this account, with OAuth 1.0a and OAuth 2.0. */
  readonly account?: unknown
  /** Replaces the response of a step, named by the last part of its path, e.g. `access_token`. */
  readonly instead?: Readonly<Record<string, (response: ServerResponse) => void>>
}

export interface MaliciousMicroblog extends AsyncDisposable {
  readonly url: string
  forgery: MicroblogForgery
  /** Number of requests by step. */
  readonly requestCounts: Map<string, number>
}

export const requestSecret = 'secret-of-the-request-token'

/** Starts a microblog without pages and signatures: every login succeeds as user 1. */
export async function startMaliciousMicroblog(): Promise<MaliciousMicroblog> {
  const callbacks = new Map<string, string>()
  const server = createServer((request, response) => handleRequest(request, response))
  const maliciousProvider: MaliciousMicroblog = {
    url: '',
    forgery: {},
    requestCounts: new Map(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  const handleRequest = (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', maliciousProvider.url)
    const step = pathname.split('/').at(-1) ?? ''
    maliciousProvider.requestCounts.set(step, (maliciousProvider.requestCounts.get(step) ?? 0) + 1)
    const { forgery } = maliciousProvider
    const form = (fields: Fields) => response.setHeader('content-type', 'text/html').end(formOf(fields))
    const json = (body: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    const sendBack = (callback: string, parameters: Record<string, string>) => {
      const callbackUrl = new URL(callback)
      for (const [name, value] of Object.entries(parameters)) callbackUrl.searchParams.set(name, value)
      forgery.returns?.(callbackUrl.searchParams)
      response.writeHead(302, { location: callbackUrl.href }).end()
    }
    const instead = forgery.instead?.[step]
    if (instead) return instead(response)

    if (step === 'request_token') {
      const oauthToken = `request-${callbacks.size}`
      callbacks.set(oauthToken, callbackOf(request))
      const validFields = {
        oauth_token: oauthToken,
        oauth_token_secret: requestSecret,
        oauth_callback_confirmed: 'true',
      }
      form({ ...validFields, ...forgery.request_token })
    } else if (step === 'authenticate') {
      const oauthToken = searchParams.get('oauth_token') ?? ''
      sendBack(callbacks.get(oauthToken) ?? '', { oauth_token: oauthToken, oauth_verifier: 'verifier' })
    } else if (step === 'access_token') {
      const validFields = { oauth_token: '1-access', oauth_token_secret: 'secret', user_id: '1', screen_name: 'one' }
      form({ ...validFields, ...forgery.access_token })
    } else if (step === 'verify_credentials.json')
      json('account' in forgery ? forgery.account : { id_str: '1', name: 'One' })
    else if (step === 'authorize') {
      sendBack(searchParams.get('redirect_uri') ?? '', { code: 'code', state: searchParams.get('state') ?? '' })
    } else if (step === 'token') json({ access_token: 'access', token_type: 'bearer', expires_in: 7_200 })
    else if (step === 'me') json('account' in forgery ? forgery.account : { data: { id: '1', name: 'One' } })
    else response.writeHead(404).end()
  }

  server.listen(0)
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('No port.')
  return Object.assign(maliciousProvider, { url: `http://localhost:${address.port}` })
}

function formOf(fields: Fields): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value)
  return form.toString()
}

function callbackOf({ headers }: IncomingMessage): string {
  return decodeURIComponent(/oauth_callback="([^"]+)"/.exec(headers.authorization ?? '')?.[1] ?? '')
}
