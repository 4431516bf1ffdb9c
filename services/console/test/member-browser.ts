import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { openContext } from '#testing'
import type { AdminResponse } from './harness.ts'

/** A member with a browser and an authenticator. */
export interface MemberBrowser extends AsyncDisposable {
  readonly context: BrowserContext
  readonly page: Page
  readonly post: (path: string, body?: object, headers?: Record<string, string>) => Promise<AdminResponse>
  readonly get: (path: string) => Promise<AdminResponse>
  /** Creates the response of browser and authenticator to options. */
  readonly make: (result: AdminResponse) => Promise<object>
  readonly show: (answer: AdminResponse) => Promise<object>
  readonly cdp: CDPSession
  readonly authenticator: string
}

/** Opens the console at the address, with an authenticator that creates and shows passkeys by itself. */
export async function openMemberBrowser(browser: Browser, address: string): Promise<MemberBrowser> {
  const context = await openContext(browser)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(address)
  const send = async (method: string, path: string, body: object | undefined, headers: Record<string, string>) => {
    const response = await page.evaluate(
      async ([verb, to, sent, extra]) => {
        const response = await fetch(to, {
          method: verb,
          headers: { 'x-console': '1', ...(sent ? { 'content-type': 'application/json' } : {}), ...extra },
          ...(sent ? { body: JSON.stringify(sent) } : {}),
        })
        return { status: response.status, body: await response.json() }
      },
      [method, path, body, headers] as const,
    )
    return { ...response, headers: new Headers() }
  }
  const ceremony =
    (kind: 'create' | 'get') =>
    async ({ body }: AdminResponse) => {
      const options = Reflect.get(Object(body), 'options')
      // Page code: the browser parses the options and serializes the response (Web Authentication Level 3, 5.1).
      return page.evaluate(
        `(async (kind, options) => {
        const read = kind === 'create' ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON'
        const made = await navigator.credentials[kind]({ publicKey: PublicKeyCredential[read](options) })
        const { id, rawId, type, response } = made.toJSON()
        const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle, transports } = response
        return JSON.parse(JSON.stringify({ id, rawId, type, response: kind === 'create'
          ? { clientDataJSON, attestationObject, transports }
          : { clientDataJSON, authenticatorData, signature, userHandle } }))
      })(${JSON.stringify(kind)}, ${JSON.stringify(options)})`,
      ) as Promise<object>
    }
  return {
    context,
    page,
    cdp,
    authenticator: authenticatorId,
    post: (path, body = {}, headers = {}) => send('POST', path, body, headers),
    get: (path) => send('GET', path, undefined, {}),
    make: ceremony('create'),
    show: ceremony('get'),
    [Symbol.asyncDispose]: () => context.close(),
  }
}
