import { type SimulatedUser, toJapaneseName } from '../../simulated-user.ts'

/** An end user's data in the portal's account settings. */
interface PortalAccount {
  /** By claim; a name that was not entered is `""`. */
  readonly names: Readonly<Record<string, string>>
  readonly gender: 'male' | 'female'
  /** The year only: the scope covers no more. */
  readonly birthdate: string
  readonly address: Readonly<Record<string, string>>
}

export function derivePortalAccount(user: SimulatedUser): PortalAccount {
  const number = Number.parseInt(user.digest.slice(0, 8), 16)
  return {
    names: deriveNames(user),
    gender: number % 2 === 0 ? 'female' : 'male',
    birthdate: String(1950 + (number % 50)),
    address: addresses[number % addresses.length] ?? {},
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

/** A name in kana or kanji has claims in that script. */
function deriveNames(user: SimulatedUser): PortalAccount['names'] {
  const { family, given, script } = toJapaneseName(user)
  const inScript = (name: string, part: string) => (script === name ? part : '')
  return {
    given_name: given,
    'given_name#ja-Kana-JP': inScript('Kana', given),
    'given_name#ja-Hani-JP': inScript('Hani', given),
    family_name: family,
    'family_name#ja-Kana-JP': inScript('Kana', family),
    'family_name#ja-Hani-JP': inScript('Hani', family),
  }
}
