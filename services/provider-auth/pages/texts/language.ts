import { type Language, languages } from '#contracts'
import type { Context } from '#http'
import { type PageTexts, textsByLanguage } from './texts.ts'

/** The language of a page and its texts. */
export interface PageLanguage {
  readonly language: Language
  readonly texts: PageTexts
}

/**
 * Determined by the application's `ui_locales` (OpenID Connect Core 3.1.2.1), else by the browser's `Accept-Language`,
 * else English.
 */
export function getPageLanguage(ctx: Context): PageLanguage {
  const language = parseUiLocales(ctx.state.ui_locales) ?? negotiateLanguage(ctx)
  return { language, texts: textsByLanguage[language] }
}

/** The first supported language of `ui_locales`; undefined if none is supported. */
export function parseUiLocales(uiLocales = ''): Language | undefined {
  for (const tag of uiLocales.split(' ')) {
    const [primary] = tag.toLowerCase().split('-')
    const language = languages.find((known) => known === primary)
    if (language !== undefined) return language
  }
  return undefined
}

function negotiateLanguage(ctx: Context): Language {
  const best = ctx.acceptsLanguages([...languages])
  return languages.find((known) => known === best) ?? 'en'
}
