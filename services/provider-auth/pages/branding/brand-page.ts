import type { Context } from '#http'
import type { Deps } from '../../deps.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { noBranding, readSiteBranding, type SiteBranding } from './site-branding.ts'

/**
 * Sets the site's display name for the page.
 *
 * @returns the site's branding
 */
export async function brandPage(
  ctx: Context,
  site: Pick<SiteProviderSettings, 'account' | 'site_id'> | undefined,
  deps: Pick<Deps, 'identity' | 'reader' | 'logger'>,
): Promise<SiteBranding> {
  if (site === undefined) return noBranding
  const branding = await readSiteBranding(site, deps, ctx.state.request_id)
  ctx.state.siteTitle = branding.name
  return branding
}
