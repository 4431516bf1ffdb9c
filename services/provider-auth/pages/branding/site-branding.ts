import { newCall } from '#bus'
import {
  describeProvider,
  isBuiltInLoginProvider,
  type Language,
  type LoginProvider,
  loginProviderDescriptions,
  type Provider,
} from '#contracts'
import type { Deps } from '../../deps.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { listConfiguredDisplayNames } from '../../store/provider-settings.ts'

/** The branding of a site's pages and login buttons. */
export interface SiteBranding {
  /** The site's display name; undefined if it is not known. */
  readonly name: string | undefined
  /** Where a login begins; null if the site has no setting. */
  readonly start_url: string | null
  readonly provider_order: readonly LoginProvider[]
  readonly provider_names: Partial<Record<Provider, Partial<Record<Language, string>>>>
}

/** Branding of pages without a site. */
export const noBranding: SiteBranding = { name: undefined, start_url: null, provider_order: [], provider_names: {} }

/** How long a page waits for the site's branding. Our choice. */
const timeoutMs = 1_000

/** Reads a site's branding. If that fails, the page is shown without it. */
export async function readSiteBranding(
  site: Pick<SiteProviderSettings, 'account' | 'site_id'>,
  { identity, reader, logger }: Pick<Deps, 'identity' | 'reader' | 'logger'>,
  requestId: string,
): Promise<SiteBranding> {
  const { account, site_id } = site
  try {
    const [branding, configured] = await Promise.all([
      identity.readSite({ account, site_id }, newCall({ request_id: requestId, withinMs: timeoutMs })),
      listConfiguredDisplayNames(reader, { account, site_id }),
    ])
    return { ...branding, provider_names: { ...configured, ...branding.provider_names } }
  } catch (error) {
    logger.warn({ error, request_id: requestId }, "the page is shown without the site's branding")
    return noBranding
  }
}

/** The name of a provider that end users see. */
export function getDisplayName(provider: Provider, language: Language, { provider_names }: SiteBranding): string {
  return provider_names[provider]?.[language] ?? describeProvider(provider).displayName[language]
}

/**
 * The label of a login button: the provider's official wording, unless the site has its own name for the provider.
 *
 * @param toLabel builds a label with the site's name for the provider
 */
export function getButtonLabel(
  provider: LoginProvider,
  language: Language,
  { provider_names }: SiteBranding,
  toLabel: (parameters: { provider: string }) => string,
): string {
  const name = provider_names[provider]?.[language]
  if (name === undefined && isBuiltInLoginProvider(provider))
    return loginProviderDescriptions[provider].button.label[language]
  return toLabel({ provider: name ?? provider })
}

/** Sorts entries in the site's order; providers that the site does not order follow in their own order. */
export function sortForSite<T extends { readonly provider: LoginProvider }>(
  entries: readonly T[],
  { provider_order }: SiteBranding,
): T[] {
  const positionOf = ({ provider }: T) => {
    const position = provider_order.indexOf(provider)
    return position === -1 ? provider_order.length : position
  }
  return entries.toSorted((one, other) => positionOf(one) - positionOf(other))
}
