import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LanguageTag, type PageText, type RejectedField, type Words } from '#contracts'
import { findParameterErrors, parametersOf } from '#messages'
import { ConfigError } from '#runtime'
import { listMessages, toCatalogue } from './messages.ts'
import { builtInCatalogues, compilePageTexts, originalCatalogue, type PageCatalogue, type PageTexts } from './texts.ts'

/** The languages of the pages. */
export interface PageLanguages {
  /** BCP 47 tags, English first. */
  readonly tags: readonly string[]
  /** The texts in a language; in English if we do not have it. */
  readonly textsIn: (tag: string) => PageTexts
  /** The messages in a language, for a site that changes some; undefined if we do not have it. */
  readonly catalogueIn: (tag: string) => PageCatalogue | undefined
  /** Our texts in a language, in the order of the pages; undefined if we do not have it. */
  readonly listTexts: (tag: string) => readonly PageText[] | undefined
  /** What is wrong with texts that a site changes; empty if nothing is. */
  readonly checkWords: (words: Words) => readonly RejectedField[]
  /** The first of the tags that we have, in a script and variant that its readers understand; undefined if there is none. */
  readonly match: (tags: readonly string[]) => string | undefined
}

/** Compiled once. An invalid message stops the service, with the message's file and key. */
export function createPageLanguages(catalogues: Readonly<Record<string, PageCatalogue>>): PageLanguages {
  const texts = new Map(
    Object.entries(catalogues).map(([tag, catalogue]) => [tag, compilePageTexts(tag, catalogue)] as const),
  )
  const tags = [...texts.keys()]
  const original = texts.get('en') ?? compilePageTexts('en', originalCatalogue)
  return {
    tags,
    textsIn: (tag) => texts.get(tag) ?? original,
    catalogueIn: (tag) => catalogues[tag],
    listTexts: (tag) => {
      const catalogue = catalogues[tag]
      return catalogue && [...listMessages(catalogue)].map(([key, text]) => describeText(key, text))
    },
    checkWords: (words) => Object.entries(words).flatMap(([tag, texts]) => checkTexts(tag, texts, catalogues[tag])),
    match(requested) {
      for (const tag of requested) {
        const language = matchTag(tag, tags)
        if (language !== undefined) return language
      }
      return undefined
    },
  }
}

/** The languages without those that an operator adds. */
export const builtInLanguages = createPageLanguages(builtInCatalogues)

/**
 * Adds the languages of a directory, one file for each: `<tag>.json` with the keys of `en.json`. A file of a language that we have
 * replaces it.
 *
 * @throws ConfigError with the file and what is wrong
 */
export function loadPageLanguages(directory: string | undefined): PageLanguages {
  if (directory === undefined) return builtInLanguages
  const own = readDirectory(directory).map(
    (file) => [file.replace(/\.json$/, ''), readFile(join(directory, file))] as const,
  )
  return createPageLanguages({ ...builtInCatalogues, ...Object.fromEntries(own) })
}

function readDirectory(directory: string): string[] {
  try {
    return readdirSync(directory).filter((file) => file.endsWith('.json'))
  } catch (error) {
    throw new ConfigError([
      `PAGE_LANGUAGES_DIRECTORY cannot be read: ${error instanceof Error ? error.message : error}.`,
    ])
  }
}

function readFile(path: string): PageCatalogue {
  const tag = path.replace(/^.*\/|\.json$/g, '')
  const problems: string[] = []
  if (!LanguageTag.safeParse(tag).success) problems.push('its name is not a language such as fi.json')
  let translation = new Map<string, string>()
  try {
    translation = listMessages(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    problems.push('it is not JSON')
  }
  const originals = listMessages(originalCatalogue)
  for (const [key, original] of originals) {
    const text = translation.get(key)
    if (text === undefined) problems.push(`${key} is missing`)
    else problems.push(...findMessageErrors(original, text).map((error) => `${key} ${error}`))
  }
  for (const key of translation.keys()) if (!originals.has(key)) problems.push(`${key} is not a message`)
  if (problems.length > 0) throw new ConfigError([`PAGE_LANGUAGES_DIRECTORY: ${path}: ${problems.join('; ')}.`])
  return toCatalogue(translation)
}

function describeText(key: string, text: string): PageText {
  return { key, text, parameters: [...parametersOf(text).keys()] }
}

function checkTexts(
  language: string,
  texts: Words[string],
  catalogue: PageCatalogue | undefined,
): readonly RejectedField[] {
  if (catalogue === undefined) return [{ field: `words.${language}`, reason: 'is no language of the pages' }]
  const originals = listMessages(catalogue)
  return Object.entries(texts).flatMap(([key, text]) => {
    const original = originals.get(key)
    const field = `words.${language}.${key}`
    if (original === undefined) return [{ field, reason: 'is no text of the pages' }]
    return findMessageErrors(original, text).map((reason) => ({ field, reason }))
  })
}

/** What is wrong with a message that replaces another one; empty if nothing is. */
function findMessageErrors(original: string, text: string): string[] {
  try {
    return findParameterErrors(original, text)
  } catch (error) {
    return [`is not valid ICU MessageFormat (${error instanceof Error ? error.message : error})`]
  }
}

/**
 * RFC 4647 lookup on the likely script and region: `zh-TW` is `zh-Hant`, and `pt-PT` is `pt-BR` unless an operator adds it, because
 * readers of one understand the other.
 */
function matchTag(tag: string, tags: readonly string[]): string | undefined {
  const wanted = toLocale(tag)
  if (wanted === undefined) return undefined
  const isSameScript = (locale: Intl.Locale | undefined) =>
    locale?.language === wanted.language && locale.script === wanted.script
  const candidates = tags.filter((one) => isSameScript(toLocale(one)))
  return candidates.find((one) => toLocale(one)?.region === wanted.region) ?? candidates[0]
}

function toLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return undefined
  }
}
