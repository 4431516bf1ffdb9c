/** The country of phone numbers without a country code: Japan, whose providers and customers this product is for. Our choice. */
const homeCountryCode = '+81'

/**
 * Folds case, width and compatibility forms (Unicode NFKC), accents of Latin letters, and katakana to hiragana, and leaves out what is
 * not visible, such as variation selectors of kanji.
 */
export function normalizeText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFKC')
    .replace(/[ァ-ヶヽヾ]/gu, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60))
}

/** The words of a name: letters and digits between anything else, normalized. */
export function toWords(name: string): string[] {
  return normalizeText(name)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
}

export function normalizeEmail(address: string): string {
  return address.trim().normalize('NFKC').toLowerCase()
}

/**
 * The digits of a phone number with its country code, e.g. `+819012345678`. A number that begins with a trunk prefix `0` is one of
 * Japan.
 *
 * @returns undefined if the text has other characters than a phone number, or fewer than 4 digits
 */
export function normalizePhone(text: string): string | undefined {
  const number = text.normalize('NFKC').replace(/[\s().‐-―−ーｰ/-]/gu, '')
  if (!/^\+?\d{4,20}$/.test(number)) return undefined
  if (number.startsWith(`${homeCountryCode}0`)) return homeCountryCode + number.slice(homeCountryCode.length + 1)
  if (number.startsWith('+')) return number
  if (number.startsWith('00')) return `+${number.slice(2)}`
  return number.startsWith('0') ? homeCountryCode + number.slice(1) : number
}

/** Whether a word is written without spaces between names, in kanji, kana or Hangul: one character of it says much. */
export function isEastAsian(word: string): boolean {
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word)
}
