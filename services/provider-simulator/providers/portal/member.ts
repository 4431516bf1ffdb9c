import { type Person, personNamed } from '../../people.ts'
import type { Portal } from './state.ts'

export interface Member extends Person {
  /** 26 characters of 0-9A-Z. */
  readonly sub: string
  /** What the person filled in; a name never given is `""`. */
  readonly names: Readonly<Record<string, string>>
  readonly gender: 'male' | 'female'
  /** A bare year: the scope tells no more. */
  readonly birthdate: string
  readonly address: Readonly<Record<string, string>>
}

export function memberNamed(name: string, portal: Portal): Member {
  const person = personNamed(name, 'portal', portal)
  const chosen = Number.parseInt(person.digest.slice(0, 8), 16)
  return {
    ...person,
    sub: BigInt(`0x${person.digest.slice(0, 34)}`)
      .toString(36)
      .toUpperCase()
      .padStart(26, '0')
      .slice(-26),
    names: namesOf(person),
    gender: chosen % 2 === 0 ? 'female' : 'male',
    birthdate: String(1950 + (chosen % 50)),
    address: addresses[chosen % addresses.length] ?? {},
  }
}

const addresses = [
  { country: 'jp', postal_code: '1028282', region: '東京都', locality: '千代田区', formatted: '東京都千代田区' },
  { country: 'jp', postal_code: '5300001', region: '大阪府', locality: '大阪市北区', formatted: '大阪府大阪市北区' },
  {
    country: 'jp',
    postal_code: '0600001',
    region: '北海道',
    locality: '札幌市中央区',
    formatted: '北海道札幌市中央区',
  },
]

/** A name typed in kana or kanji has its family name first and is known in that script too. */
function namesOf({ name, given_name, family_name = '' }: Person): Member['names'] {
  const [first = '', ...rest] = name.split(' ')
  const japanese = { family: rest.length > 0 ? first : '', given: rest.length > 0 ? rest.join(' ') : first }
  const script = scripts.find(({ pattern }) => pattern.test(name))?.script
  const [family, given] = script ? [japanese.family, japanese.given] : [family_name, given_name]
  const inScript = (wanted: string, part: string) => (script === wanted ? part : '')
  return {
    given_name: given,
    'given_name#ja-Kana-JP': inScript('Kana', given),
    'given_name#ja-Hani-JP': inScript('Hani', given),
    family_name: family,
    'family_name#ja-Kana-JP': inScript('Kana', family),
    'family_name#ja-Hani-JP': inScript('Hani', family),
  }
}

const scripts = [
  { script: 'Kana', pattern: /^[\p{Script=Hiragana}\p{Script=Katakana}ー ]+$/u },
  { script: 'Hani', pattern: /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー ]+$/u },
]
