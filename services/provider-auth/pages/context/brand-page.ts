import type { Context } from '#http'
import type { Deps } from '../../deps.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { setPageContext } from './page-context.ts'
import { readSiteBranding } from './site-branding.ts'

/** Gives the page the look, the texts and the name of a site; without one, of the site whose own host was called. */
export async function brandPage(
  ctx: Context,
  site: Pick<SiteProviderSettings, 'account' | 'site_id' | 'site'> | undefined,
  deps: Pick<Deps, 'identity' | 'reader' | 'siteSettings' | 'logger'>,
): Promise<void> {
  const owner = site ?? ctx.state.location
  if (owner === undefined) return
  setPageContext(ctx, { branding: await readSiteBranding(owner, deps, ctx.state.request_id) })
}
