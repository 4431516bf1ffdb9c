import { expect } from 'vitest'
import { type AdminResponse, getText, type Harness } from './harness.ts'

/** A client with a cookie jar, which signs in at OpenID providers. */
export interface ProviderBrowser {
  readonly post: (path: string, body?: object) => Promise<AdminResponse>
  readonly me: () => Promise<AdminResponse>
  readonly send: (method: string, path: string, body?: object, revision?: number) => Promise<AdminResponse>
  /** Signs in at the provider and returns the callback URL. */
  readonly leave: (body?: object, path?: string) => Promise<string>
  /** Opens the callback and returns where it redirects. */
  readonly comeBack: (callback: string) => Promise<string | null>
}

export function openProviderBrowser(harness: Harness): ProviderBrowser {
  const cookies = new Map<string, string>()
  const storeCookies = (headers: Headers) => {
    for (const field of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(field) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
  }
  const headers = () => ({ cookie: [...cookies].map((pair) => pair.join('=')).join('; ') })
  const ownHeaders = () => ({ ...headers(), 'x-console': '1', origin: harness.url })
  const post = async (path: string, body: object = {}): Promise<AdminResponse> => {
    const response = await harness.anonymous.send('POST', path, { body, headers: ownHeaders() })
    storeCookies(response.headers)
    return response
  }
  return {
    post,
    me: () => harness.anonymous.send('GET', '/admin/v1/me', { headers: headers() }),
    send: (method, path, body, revision) =>
      harness.anonymous.send(method, path, {
        body,
        headers: { ...ownHeaders(), ...(revision === undefined ? {} : { 'if-match': `"${revision}"` }) },
      }),
    async leave(body = {}, path = '/sign-in/provider') {
      const location = getText(await post(path, body), 'location') ?? ''
      const response = await fetch(location, { redirect: 'manual' })
      return response.headers.get('location') ?? ''
    },
    async comeBack(callback) {
      const response = await fetch(callback, { redirect: 'manual', headers: headers() })
      storeCookies(response.headers)
      expect(response.status).toBe(303)
      return response.headers.get('location')
    },
  }
}
