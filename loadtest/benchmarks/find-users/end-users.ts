import { createHash } from 'node:crypto'
import type { ProviderData } from '#contracts'

/** An end user of the measured site, always the same for a number. */
export interface EndUser {
  readonly identifier: string
  readonly family: string
  readonly given: string
  readonly email: string
  readonly phone: string
  readonly isKanji: boolean
}

const syllables =
  'a ka sa ta na ha ma ya ra wa ki shi chi ni hi mi ri ku su tsu nu fu mu yu ru ke se te ne he me re ko so to no ho mo yo ro'.split(
    ' ',
  )
const kanji = [
  ...'田中山本佐藤鈴木高橋渡辺伊小林加吉松井村上石川長谷前岡三浦原野口池森阿部大西東南北青黒白水金土太一郎次子美香花恵健翔蓮結愛陽葵',
]

/** Half of the end users have one of the most frequent hundred of so many names, as by Zipf's law. */
const latinNames = { family: 20_000, given: 4_000 }
const kanjiNames = { family: 2_000, given: 2_000 }

const firstSecond = Date.parse('2023-11-01') / 1_000
const secondsBetween = 9

/** End user number `n`, in the order of identifiers. Two in five have names in kanji. */
export function createEndUser(n: number): EndUser {
  const random = createHash('sha256').update(`person ${n}`).digest()
  const at = (byte: number) => random.readUInt32BE(byte) / 2 ** 32
  const isKanji = n % 5 < 2
  const numbers = isKanji ? kanjiNames : latinNames
  const letters = isKanji ? kanji : syllables
  const toName = isKanji ? toKanjiName : toLatinName
  return {
    identifier: (firstSecond + n * secondsBetween).toString(16) + random.toString('hex', 0, 16),
    family: toName(letters, zipf(at(16), numbers.family)),
    given: toName(letters, zipf(at(20), numbers.given) * 7 + 3),
    email: `p${random.toString('hex', 24, 29)}@example.com`,
    phone: `+8190${String(n).padStart(8, '0')}`,
    isKanji,
  }
}

/** The most frequent name of the site in Latin letters. */
export const mostFrequentName = { family: toLatinName(syllables, 0), given: toLatinName(syllables, 3) }

function zipf(random: number, names: number): number {
  return Math.floor(names ** random) - 1
}

function toLatinName(letters: readonly string[], n: number): string {
  const places = [n + 7, Math.floor(n / letters.length) + 3, ...(n % 3 === 0 ? [n * 11 + 5] : [])]
  return places.map((place) => letters[place % letters.length]).join('')
}

function toKanjiName(letters: readonly string[], n: number): string {
  return [n, Math.floor(n / letters.length) + 13].map((place) => letters[place % letters.length]).join('')
}

/** What a login provider says of an end user. */
export function describeUser({ family, given, email, phone, isKanji }: EndUser): ProviderData {
  const names = isKanji
    ? { last_name_kanji: family, first_name_kanji: given }
    : { last_name: family, first_name: given, full_name: `${given} ${family}` }
  return {
    profile: names,
    follow: null,
    email: [{ email, verified: true }],
    phone: [{ number: phone, verified: true, type: 'mobile' }],
  }
}
