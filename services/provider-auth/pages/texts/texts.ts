import type { Language } from '#contracts'
import { compileCatalogue, createTexts, type TextsOf } from '#messages'
import en from './en.json' with { type: 'json' }
import ja from './ja.json' with { type: 'json' }
import type { MessageParameters } from './parameters.ts'

/** The texts of the pages in one language. */
export type PageTexts = TextsOf<typeof en, MessageParameters>

/** The texts of an error page. They have no parameters: parts of a request are never printed (OWASP ASVS 3.2.2). */
export interface PageText {
  /** What happened, for the end user. */
  readonly heading: string
  /**
   * What is wrong, for the application's developer: the specification's wording if it has one, in English in any
   * language.
   */
  readonly message: string
  /** What to do. */
  readonly advice: string
}

/** Compiled once at startup. An invalid message stops the service, with the message's file and key. */
export const textsByLanguage: Readonly<Record<Language, PageTexts>> = { en: textsOf('en', en), ja: textsOf('ja', ja) }

function textsOf(language: Language, catalogue: typeof en): PageTexts {
  return createTexts<typeof en, MessageParameters>(
    language,
    compileCatalogue(catalogue, `pages/texts/${language}.json`),
  )
}
