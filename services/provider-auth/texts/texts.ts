import { compileCatalogue, createTexts, type TextsOf } from '#messages'
import ar from './ar.json' with { type: 'json' }
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }
import id from './id.json' with { type: 'json' }
import ja from './ja.json' with { type: 'json' }
import ko from './ko.json' with { type: 'json' }
import type { MessageParameters } from './parameters.ts'
import ptBR from './pt-BR.json' with { type: 'json' }
import th from './th.json' with { type: 'json' }
import vi from './vi.json' with { type: 'json' }
import zhHans from './zh-Hans.json' with { type: 'json' }
import zhHant from './zh-Hant.json' with { type: 'json' }

/** The messages of the pages in one language. */
export type PageCatalogue = typeof en

/** The texts of the pages in one language. */
export type PageTexts = TextsOf<PageCatalogue, MessageParameters>

/** The texts of an error page. They have no parameters: parts of a request are never printed (OWASP ASVS 3.2.2). */
export interface ErrorPageText {
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

/** Our languages, by their BCP 47 tags, English first. */
export const builtInCatalogues: Readonly<Record<string, PageCatalogue>> = {
  en,
  ja,
  ko,
  'zh-Hans': zhHans,
  'zh-Hant': zhHant,
  th,
  id,
  vi,
  es,
  'pt-BR': ptBR,
  fr,
  de,
  ar,
}

/** The messages that the others translate. */
export const originalCatalogue: PageCatalogue = en

/** @throws Error with the file and the message's key if a message is invalid */
export function compilePageTexts(language: string, catalogue: PageCatalogue, file = `${language}.json`): PageTexts {
  return createTexts<PageCatalogue, MessageParameters>(language, compileCatalogue(catalogue, file))
}
