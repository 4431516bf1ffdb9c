import type { CombinedProfile, ProviderData, UserSearchField } from '#contracts'
import { isEastAsian, normalizeEmail, normalizePhone, toWords } from './normalize.ts'

/** What a search looks at: a combined profile, or the data of one provider. */
export type SearchedData = Pick<CombinedProfile | ProviderData, 'profile' | 'email' | 'phone'>

/** Lengths of the prefixes of words that are indexed, in characters. Longer texts are compared with the profile. Our choice. */
const shortestPrefix = { eastAsian: 1, other: 2 }
const longestPrefix = 8

const scripts = ['', '_kana', '_kanji'] as const

/** The names of a profile: each in words, and written together in both orders. */
export interface Names {
  readonly words: readonly string[]
  readonly wholes: readonly string[]
}

export function listNames({ profile }: SearchedData): Names {
  const words = new Set<string>()
  const wholes = new Set<string>()
  const addWhole = (parts: readonly string[]) => {
    if (parts.length > 1) wholes.add(parts.join(''))
  }
  for (const script of scripts) {
    const given = toWords(profile[`first_name${script}`] ?? '')
    const middle = toWords(profile[`middle_name${script}`] ?? '')
    const family = toWords(profile[`last_name${script}`] ?? '')
    const full = toWords(profile[`full_name${script}`] ?? '')
    for (const word of [...given, ...middle, ...family, ...full]) words.add(word)
    addWhole([...family, ...given])
    addWhole([...given, ...family])
    addWhole(full)
  }
  const nickname = toWords(profile.user_name ?? '')
  for (const word of nickname) words.add(word)
  addWhole(nickname)
  return { words: [...words], wholes: [...wholes] }
}

/** The texts of a profile that are indexed as blind terms, each once; each begins with its kind. */
export function listTerms(data: SearchedData, fields: readonly UserSearchField[]): string[] {
  const terms = new Set<string>()
  if (fields.includes('email')) for (const { email } of data.email) terms.add(emailTerm(email))
  if (fields.includes('phone_number'))
    for (const { number } of data.phone) terms.add(phoneTerm(normalizePhone(number) ?? number))
  if (!fields.includes('name')) return [...terms]
  const { words, wholes } = listNames(data)
  for (const word of words) for (const prefix of listPrefixes(word)) terms.add(prefixTerm(prefix))
  for (const whole of wholes)
    if (isEastAsian(whole)) for (const prefix of listPrefixes(whole)) terms.add(prefixTerm(prefix))
    else terms.add(wholeTerm(whole))
  return [...terms]
}

function listPrefixes(word: string): string[] {
  const characters = [...word]
  const shortest = shortestPrefixOf(word)
  const longest = Math.min(longestPrefix, characters.length)
  return Array.from({ length: Math.max(0, longest - shortest + 1) }, (_, more) =>
    characters.slice(0, shortest + more).join(''),
  )
}

function shortestPrefixOf(word: string): number {
  return isEastAsian(word) ? shortestPrefix.eastAsian : shortestPrefix.other
}

const prefixTerm = (text: string) => `name:${text}`
const wholeTerm = (text: string) => `whole_name:${text}`
const emailTerm = (address: string) => `email:${normalizeEmail(address)}`
const phoneTerm = (number: string) => `phone_number:${number}`

/** The term under which a word of a searched name is indexed; undefined if the word is too short. */
export function toPrefixTerm(word: string): string | undefined {
  const characters = [...word]
  if (characters.length < shortestPrefixOf(word)) return undefined
  return prefixTerm(characters.slice(0, longestPrefix).join(''))
}

/** The term under which a whole name is indexed, written together. */
export function toWholeTerm(whole: string): string | undefined {
  return isEastAsian(whole) ? toPrefixTerm(whole) : wholeTerm(whole)
}

export const toEmailTerm = emailTerm
export const toPhoneTerm = phoneTerm
