import type { Theme } from '#contracts'
import type { PageResponse } from '#http'
import { getPageLanguage } from './context/language.ts'
import { getPageContext } from './context/page-context.ts'
import { buildLookStylesheetPath, buildPicturePath } from './look/paths.ts'
import { stylesheet } from './stylesheet.ts'

const footerLinks = ['terms', 'privacy', 'support', 'imprint'] as const

/** Data of all pages: language, what stands above and below the card, and stylesheets. */
export function getLayout(ctx: PageResponse, furtherStylesheets: readonly string[] = []) {
  const { language, direction, texts } = getPageLanguage(ctx)
  const { name: site, look } = getPageContext(ctx).branding
  const stylesheets = [stylesheet.path, ...furtherStylesheets]
  if (look !== undefined) stylesheets.push(buildLookStylesheetPath(look))
  const { theme } = look ?? {}
  return {
    language,
    direction,
    site,
    stylesheets,
    header: theme === undefined ? { name: site } : getHeader(theme, site),
    favicon: theme?.favicon == null ? undefined : buildPicturePath(theme.favicon),
    links: footerLinks.flatMap((name) => {
      const address = theme?.[`${name}_url`]
      return address == null ? [] : [{ address: address.replaceAll('{language}', language), text: texts.links[name] }]
    }),
  }
}

function getHeader({ header, logo, logo_dark }: Theme, site: string | undefined) {
  const showsLogo = logo !== null && header.startsWith('logo')
  return {
    name: header === 'name' || header === 'logo_and_name' || (header === 'logo' && logo === null) ? site : undefined,
    logo: showsLogo ? buildPicturePath(logo) : undefined,
    logo_dark: showsLogo && logo_dark !== null ? buildPicturePath(logo_dark) : undefined,
  }
}

/** Isolates a name, so that its direction does not reorder the sentence around it. */
export function isolate(name: string): string {
  return `\u2068${name}\u2069`
}

/** Isolates the name of a provider on a page from right to left, where its punctuation would move. */
export function isolateIn(direction: 'ltr' | 'rtl', name: string): string {
  return direction === 'rtl' ? isolate(name) : name
}
