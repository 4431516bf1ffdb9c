import { readCookie, setCookie } from '#http'
import { hashSecret } from '#runtime'
import type { Deps } from '../../deps.ts'

/** How long a browser remembers the provider. Our choice: a year. */
const lifetimeSeconds = 31_536_000

/** The `Set-Cookie` headers that let a browser remember with which provider it logged in at a site, if its look uses that. */
export async function rememberProvider(
  { site, provider }: { readonly site: number; readonly provider: string },
  { siteSettings, auth_url }: Pick<Deps, 'siteSettings' | 'auth_url'>,
): Promise<string[]> {
  const look = await siteSettings.findLook(site)
  if (look?.theme.last_used_first !== true) return []
  return [setCookie(cookieNameOf(site), provider, lifetimeSeconds, auth_url, 'lax')]
}

/** The provider that a browser logged in with last at a site. */
export function readLastProvider(
  site: number,
  cookie: string | undefined,
  { auth_url }: Pick<Deps, 'auth_url'>,
): string | undefined {
  return readCookie(cookie, cookieNameOf(site), auth_url)
}

function cookieNameOf(site: number): string {
  return `provider-${hashSecret(`site ${site}`).slice(0, 12)}`
}
