import type { Language } from '#contracts'
import { compileCatalogue, createTexts, type TextsOf } from '#messages'
import en from './texts/en.json' with { type: 'json' }
import ja from './texts/ja.json' with { type: 'json' }
import type { Parameters } from './texts/parameters.ts'

/** What the pages say, in one language. */
export type Texts = TextsOf<typeof en, Parameters>

/** What an error page says. It has no parameters: nothing of a request is ever printed (OWASP ASVS 3.2.2). */
export interface PageText {
  /** What happened, for the end user. */
  readonly heading: string
  /** What is wrong, for the application's developer; the specification's wording where it gives one, in any language. */
  readonly message: string
  /** What to do. */
  readonly advice: string
}

/** Compiled once, when the service starts. An invalid message stops it, with the message's file and key. */
export const textsByLanguage: Readonly<Record<Language, Texts>> = { en: textsOf('en', en), ja: textsOf('ja', ja) }

function textsOf(language: Language, catalogue: typeof en): Texts {
  return createTexts<typeof en, Parameters>(language, compileCatalogue(catalogue, `pages/texts/${language}.json`))
}
