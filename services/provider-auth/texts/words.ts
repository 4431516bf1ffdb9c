import type { Words } from '#contracts'
import { listMessages, toCatalogue } from './messages.ts'
import type { PageLanguages } from './page-languages.ts'
import { compilePageTexts, type PageCatalogue, type PageTexts } from './texts.ts'

/** What a site changed of the texts. */
interface ChangedWords {
  readonly words: Words
}

/** The compiled texts of each look by language. */
const compiled = new WeakMap<ChangedWords, Map<string, PageTexts>>()

/** The texts of a language, with those that the site replaced. */
export function wordsIn(look: ChangedWords | undefined, language: string, languages: PageLanguages): PageTexts {
  const words = look?.words[language]
  const catalogue = languages.catalogueIn(language)
  if (look === undefined || words === undefined || catalogue === undefined) return languages.textsIn(language)
  const byLanguage = compiled.get(look) ?? new Map<string, PageTexts>()
  compiled.set(look, byLanguage)
  const texts = byLanguage.get(language) ?? compileWords(language, catalogue, words)
  byLanguage.set(language, texts)
  return texts
}

function compileWords(language: string, catalogue: PageCatalogue, words: Words[string]): PageTexts {
  const messages = listMessages(catalogue)
  // A message that a later version of the product does not have is ignored.
  for (const [key, text] of Object.entries(words)) if (messages.has(key)) messages.set(key, text)
  return compilePageTexts(language, toCatalogue(messages))
}
