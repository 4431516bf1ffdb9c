import {
  getLocation,
  openRedirect,
  openTestBrowser,
  submitLinkDecision,
  submitProviderSignIn,
} from '../../../services/provider-auth/test/browser.ts'
import type { FaultSite } from '../site.ts'
import type { FaultOperation } from './fault-case.ts'
import { maskLogins, withTimeout } from './login-operations.ts'

/** The callback with which the browser of a user links an account. After a fault, the user starts again. */
export const linkOperation: FaultOperation = {
  name: 'link',
  participants: ['provider-auth', 'identity', 'profile'],
  async prepare(site, tag) {
    const identifier = await site.createUser({
      links: [{ provider: 'messaging', provider_user_id: `${tag}-messaging` }],
    })
    const { browser, callback } = await begin(site, identifier, tag)
    let opened: string | undefined = callback
    const send = async (): Promise<string> => {
      const first = opened
      opened = undefined
      if (first !== undefined) return readResult(await openRedirect(browser, first))
      const again = await begin(site, identifier, tag)
      return readResult(await openRedirect(again.browser, again.callback))
    }
    return {
      users: [identifier],
      async attempt() {
        // Reset, refused or timed out, or a page that says that the account is linked already.
        const result = await withTimeout(send()).catch(() => undefined)
        const isDone = result === 'authorized' || (await isLinked(site, identifier))
        return isDone ? { status: 302, body: 'linked' } : undefined
      },
      findUsers: async () => [],
      mask: maskLogins,
    }
  },
}

/** Continues from a new association token to our callback, which is not opened. */
async function begin(site: FaultSite, identifier: string, tag: string) {
  const token = await callWebApi(site, 'association_token', { identifier, target_provider: 'search' })
  const url = new URL(String(Reflect.get(Object(token), 'authenticate_uri')))
  url.searchParams.set('callback', site.demo.clients[0].redirect_uris[0] ?? '')
  const browser = openTestBrowser()
  const atProvider = getLocation(await submitLinkDecision(browser, url.href))
  return { browser, callback: await submitProviderSignIn(browser, atProvider, { user: tag }) }
}

function readResult(location: string): string {
  return new URL(location).searchParams.get('status') ?? ''
}

async function isLinked(site: FaultSite, identifier: string): Promise<boolean> {
  const body = await callWebApi(site, 'providers_of_user', { identifier }).catch(() => undefined)
  return JSON.stringify(body)?.includes('"search"') ?? false
}

async function callWebApi({ web_api, demo }: FaultSite, operation: string, parameters: Record<string, string>) {
  const response = await fetch(`${web_api}/${operation}?${new URLSearchParams(parameters)}`, {
    headers: { authorization: `Bearer ${demo.api_key}`, connection: 'close' },
  })
  const body: unknown = await response.json()
  if (!response.ok) throw new Error(`${operation} returned ${response.status}.`)
  return body
}
