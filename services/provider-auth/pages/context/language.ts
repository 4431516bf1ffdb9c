import type { PageResponse } from '#http'
import type { PageTexts } from '../../texts/texts.ts'
import { wordsIn } from '../../texts/words.ts'
import { getPageContext } from './page-context.ts'

/** The language of a page and its texts. */
export interface PageLanguage {
  /** A BCP 47 tag. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  readonly texts: PageTexts
}

/**
 * Determined by the application's `ui_locales` (OpenID Connect Core 3.1.2.1), else by the browser's `Accept-Language`,
 * else English.
 */
export function getPageLanguage(ctx: PageResponse): PageLanguage {
  const { languages, branding } = getPageContext(ctx)
  const requested = splitLocales(ctx.state.ui_locales)
  const language = languages.match(requested) ?? languages.match(listAccepted(ctx.headers['accept-language'])) ?? 'en'
  return { language, direction: directionOf(language), texts: wordsIn(branding.look, language, languages) }
}

/** The tags of `ui_locales`. */
export function splitLocales(uiLocales = ''): string[] {
  return uiLocales
    .split(' ')
    .filter((tag) => tag !== '')
    .slice(0, maxTags)
}

/** Languages that a request can name. Our choice. */
const maxTags = 20

/** The tags of `Accept-Language`, preferred first (RFC 9110 12.5.4). */
function listAccepted(field = ''): string[] {
  return field
    .split(',')
    .slice(0, maxTags)
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag)
}

function directionOf(language: string): 'ltr' | 'rtl' {
  return new Intl.Locale(language).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr'
}
