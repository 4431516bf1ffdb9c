import { newCall } from '#bus'
import {
  type Language,
  type LoginProvider,
  loginProviderDescriptions,
  type Provider,
  providerDescriptions,
} from '#contracts'
import type { Deps } from '../deps.ts'
import type { ProviderSettings } from '../domain/provider-settings.ts'

/** How a site presents itself and login providers to its users. */
export interface SiteBranding {
  /** The site's display name; undefined when it is not known. */
  readonly name: string | undefined
  readonly provider_order: readonly LoginProvider[]
  readonly provider_names: Partial<Record<Provider, Partial<Record<Language, string>>>>
}

/** For pages that belong to no site. */
export const noBranding: SiteBranding = { name: undefined, provider_order: [], provider_names: {} }

/** How long a page waits for the site's branding. Our choice. */
const timeoutMs = 1_000

/** Reads a site's branding. A page is shown without it rather than not at all. */
export async function readSiteBranding(
  site: Pick<ProviderSettings, 'account' | 'site_id'>,
  { identity, logger }: Pick<Deps, 'identity' | 'logger'>,
  requestId: string,
): Promise<SiteBranding> {
  const { account, site_id } = site
  try {
    return await identity.readSite({ account, site_id }, newCall({ request_id: requestId, withinMs: timeoutMs }))
  } catch (error) {
    logger.warn({ error, request_id: requestId }, "a page is shown without its site's branding")
    return noBranding
  }
}

/** The name that users see of a provider. */
export function getDisplayName(provider: Provider, language: Language, { provider_names }: SiteBranding): string {
  return provider_names[provider]?.[language] ?? providerDescriptions[provider].displayName[language]
}

/**
 * The label of a login button: the provider's own wording, unless the site chose a name for the provider.
 *
 * @param labelFor makes a label with the name that the site chose
 */
export function getButtonLabel(
  provider: LoginProvider,
  language: Language,
  { provider_names }: SiteBranding,
  toLabel: (parameters: { provider: string }) => string,
): string {
  const name = provider_names[provider]?.[language]
  return name === undefined ? loginProviderDescriptions[provider].button.label[language] : toLabel({ provider: name })
}

/** Sorts entries into the order that the site chose; the others follow in their own order. */
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
