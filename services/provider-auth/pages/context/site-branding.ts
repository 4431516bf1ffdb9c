import { newCall } from '#bus'
import {
  describeProvider,
  isBuiltInLoginProvider,
  type Language,
  type LoginProvider,
  languages,
  loginProviderDescriptions,
  type Provider,
} from '#contracts'
import type { Deps } from '../../deps.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { listConfiguredDisplayNames } from '../../store/provider-settings.ts'
import type { PublishedLook } from '../../store/site-looks.ts'

/** The branding of a site's pages and login buttons. */
export interface SiteBranding {
  /** The site's display name; undefined if it is not known. */
  readonly name: string | undefined
  /** Where a login begins: the setting of the site, else the origin of its first redirect URI; null without both. */
  readonly start_url: string | null
  readonly provider_order: readonly LoginProvider[]
  readonly provider_names: Partial<Record<Provider, Partial<Record<string, string>>>>
  /** What the site published; undefined: our own look. */
  readonly look: PublishedLook | undefined
}

/** Branding of pages without a site. */
export const noBranding: SiteBranding = {
  name: undefined,
  start_url: null,
  provider_order: [],
  provider_names: {},
  look: undefined,
}

/** How long a page waits for the site's branding. Our choice. */
const timeoutMs = 1_000

/** Reads a site's branding. If that fails, the page is shown without it. */
export async function readSiteBranding(
  { account, site_id, site }: Pick<SiteProviderSettings, 'account' | 'site_id' | 'site'>,
  { identity, reader, siteSettings, logger }: Pick<Deps, 'identity' | 'reader' | 'siteSettings' | 'logger'>,
  requestId: string,
): Promise<SiteBranding> {
  const findingLook = siteSettings.findLook(site).catch((error: unknown) => {
    logger.warn({ error, request_id: requestId }, 'the page is shown without the look of the site')
    return undefined
  })
  try {
    const [branding, configured, origin] = await Promise.all([
      identity.readSite({ account, site_id }, newCall({ request_id: requestId, withinMs: timeoutMs })),
      listConfiguredDisplayNames(reader, { account, site_id }),
      siteSettings.findApplicationOrigin(site),
    ])
    return {
      ...branding,
      start_url: branding.start_url ?? origin ?? null,
      provider_names: { ...configured, ...branding.provider_names },
      look: await findingLook,
    }
  } catch (error) {
    logger.warn({ error, request_id: requestId }, "the page is shown without the site's branding")
    return { ...noBranding, look: await findingLook }
  }
}

/** The name of a provider that end users see. */
export function getDisplayName(provider: Provider, language: string, branding: SiteBranding): string {
  return findOwnName(provider, language, branding) ?? describeProvider(provider).displayName[toNamedLanguage(language)]
}

/** The site's own name of a provider: in the language, else the one that readers of other languages get. */
function findOwnName(provider: Provider, language: string, { provider_names }: SiteBranding): string | undefined {
  const names = provider_names[provider]
  return names?.[language] ?? names?.[toNamedLanguage(language)]
}

/** Providers have an English and a Japanese name; the English one is also that of other languages. */
function toNamedLanguage(language: string): Language {
  return languages.find((known) => known === language) ?? 'en'
}

/**
 * The label of a login button: the provider's official wording, unless the site has its own name for the provider.
 *
 * @param toLabel builds a label with the site's name for the provider
 */
export function getButtonLabel(
  provider: LoginProvider,
  language: string,
  branding: SiteBranding,
  toLabel: (parameters: { provider: string }) => string,
): string {
  const name = findOwnName(provider, language, branding)
  const named = toNamedLanguage(language)
  // Providers publish their wording in these languages; in others, our texts have it with the name.
  if (
    name === undefined &&
    named === language &&
    isBuiltInLoginProvider(provider) &&
    !hasOwnWording(branding, language)
  )
    return loginProviderDescriptions[provider].button.label[named]
  return toLabel({ provider: getDisplayName(provider, language, branding) })
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

/** Whether the site replaced the text of login buttons. */
function hasOwnWording({ look }: SiteBranding, language: string): boolean {
  return look?.words[language]?.['choice.button'] !== undefined
}
