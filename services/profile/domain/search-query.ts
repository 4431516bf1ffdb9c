import type { UserSearchField } from '#contracts'
import { normalizeEmail, normalizePhone, toWords } from './normalize.ts'
import { listNames, type SearchedData, toEmailTerm, toPhoneTerm, toPrefixTerm, toWholeTerm } from './search-terms.ts'

/** One way in which a text can denote users. */
export interface SearchCondition {
  readonly field: UserSearchField
  /** A user has all of these terms; the rarest is probably the first. */
  readonly terms: readonly string[]
  /** Whether data has what is searched for: terms are truncated, and texts can be longer than indexed prefixes. */
  readonly matches: (data: SearchedData) => boolean
}

/** Words of a name that a search uses. Our choice. */
const mostWords = 6

/** What a text can be, by its form: an e-mail address, a phone number, or the beginning of a name. */
export function parseQuery(text: string, fields: readonly UserSearchField[]): SearchCondition[] {
  const conditions = text.includes('@') ? [byEmail(text)] : [...byPhone(text), ...byName(text)]
  return conditions.filter(({ field }) => fields.includes(field))
}

function byEmail(text: string): SearchCondition {
  const address = normalizeEmail(text)
  return {
    field: 'email',
    terms: [toEmailTerm(address)],
    matches: (data) => data.email.some(({ email }) => normalizeEmail(email) === address),
  }
}

function byPhone(text: string): SearchCondition[] {
  const searched = normalizePhone(text)
  if (searched === undefined) return []
  const matches = (data: SearchedData) => data.phone.some(({ number }) => normalizePhone(number) === searched)
  return [{ field: 'phone_number', terms: [toPhoneTerm(searched)], matches }]
}

function byName(text: string): SearchCondition[] {
  const words = toWords(text).slice(0, mostWords)
  const joined = words.join('')
  const matches = (data: SearchedData) => {
    const names = listNames(data)
    const hasWord = (word: string) => names.words.some((one) => one.startsWith(word))
    return words.every(hasWord) || names.wholes.some((one) => one.startsWith(joined))
  }
  const whole = toWholeTerm(joined)
  const prefixes = words.toSorted((a, b) => b.length - a.length).map(toPrefixTerm)
  const alternatives = [whole === undefined ? [] : [whole], prefixes.filter((term) => term !== undefined)]
  return alternatives
    .filter((terms) => terms.length > 0)
    .map((terms): SearchCondition => ({ field: 'name', terms, matches }))
}
