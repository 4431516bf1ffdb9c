import type { ProviderDefinition, ProviderSettings } from '#contracts'
import type { SeededSite, SharedStack } from '#testing'
import { openTestBrowser, type TestBrowser } from './browser.ts'

/** A client that a provider knows. */
interface ProviderClient {
  readonly client_id: string
  readonly client_secret: string
}

/** Saves settings of a provider that a site configures, of OpenID Connect. @throws Fault with the rejected fields */
export async function saveConfigured(
  { provider_auth, call }: Pick<SharedStack, 'provider_auth' | 'call'>,
  { site, account, site_id }: SeededSite,
  provider: string,
  { client, protocol }: { readonly client: ProviderClient; readonly protocol: object },
): Promise<ProviderSettings> {
  const { revision } = await provider_auth.readProviderSettings({ site, provider }, call())
  // Tests also save what the schema would not allow.
  const definition = {
    display_name: { en: 'Staff' },
    protocol: { type: 'oidc', ...protocol },
  } as unknown as ProviderDefinition
  const settings = { site, account, site_id, provider, ...client, definition }
  return provider_auth.changeProviderSettings({ ...settings, expected_revision: revision }, call())
}

/** The URL with which a site's application starts a login at a provider that the site configured. */
export function buildLoginUrl({ client }: SeededSite, authorizeUri: string, scope: string): string {
  const url = new URL(authorizeUri)
  const { client_id, redirect_uri } = client
  const parameters = { client_id, redirect_uri, response_type: 'code', scope, state: 's' }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** Follows redirects to the application's callback, and returns it. The provider asks nothing. */
export function followToApplication(
  { client }: SeededSite,
  start: string,
  browser: TestBrowser = openTestBrowser(),
): Promise<URL> {
  const follow = async (address: string, left: number): Promise<URL> => {
    if (address.startsWith(client.redirect_uri)) return new URL(address)
    const response = await browser.open(address)
    const page = response.status === 200 ? await response.clone().text() : ''
    const form = findForm(page)
    const posted = form && (await browser.postCrossSite(form.action, Object.entries(form.hidden)))
    const location = (posted ?? response).headers.get('location')
    if (location === null || left === 0) throw new Error(`No redirect: ${response.status} ${await response.text()}`)
    return follow(new URL(location, address).href, left - 1)
  }
  return follow(start, 10)
}

/** The first form of a page, with its hidden fields and buttons. */
export function findForm(
  page: string,
): { readonly action: string; readonly hidden: Record<string, string> } | undefined {
  const [form] = /<form.*?<\/form>/s.exec(page) ?? []
  if (form === undefined) return undefined
  const tag = /<form[^>]*>/.exec(form)?.[0] ?? ''
  const inputs = [...form.matchAll(/<input[^>]*>/g)].map(([input]) => input)
  const hidden = inputs.flatMap((input): [string, string][] => {
    const name = readAttribute(input, 'name')
    return name === undefined || !/hidden|submit/.test(readAttribute(input, 'type') ?? '')
      ? []
      : [[name, readAttribute(input, 'value') ?? '']]
  })
  return { action: readAttribute(tag, 'action') ?? '', hidden: Object.fromEntries(hidden) }
}

function readAttribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&')
}
