import type { messagingPermissions } from '#contracts'
import { type SimulatedUser, toJapaneseName } from '../../simulated-user.ts'

type Permission = (typeof messagingPermissions)[number]

/** What the consent page says about each permission. */
export const sharedPermissions: Readonly<Record<Permission, string>> = {
  real_name: 'Your name and its kana',
  gender: 'Your gender',
  birthdate: 'Your birthday',
  phone: 'Your phone number',
  address: 'Your address',
}

/** The claims of LINE Profile+ for the granted scopes. They are in ID Tokens only. */
export function deriveProfilePlus(user: SimulatedUser, scopes: readonly string[]): Record<string, unknown> {
  const claims = deriveClaims(user)
  // The keys of the claims are the permissions.
  const granted = (Object.keys(claims) as Permission[]).filter((permission) => scopes.includes(permission))
  return Object.assign({}, ...granted.map((permission) => claims[permission]))
}

function deriveClaims(user: SimulatedUser): Readonly<Record<Permission, Record<string, unknown>>> {
  const number = Number.parseInt(user.digest.slice(0, 8), 16)
  const choose = <T>(values: readonly T[]) => values[number % values.length]
  return {
    real_name: deriveName(user, choose(familyKana), choose(givenKana)),
    gender: { gender: choose(['male', 'female', '回答しない']) },
    birthdate: { birthdate: `${1950 + (number % 50)}-${twoDigits(1 + (number % 12))}-${twoDigits(1 + (number % 28))}` },
    phone: { phone_number: `+8190${String(number % 100_000_000).padStart(8, '0')}` },
    address: { address: choose(addresses) },
  }
}

/** A name of one word has no family name. The kana are in katakana; a name in kana is its own. */
function deriveName(user: SimulatedUser, anyFamilyKana: string | undefined, anyGivenKana: string | undefined) {
  const { family, given, script } = toJapaneseName(user)
  const [familyKana, givenKana] = script === 'Kana' ? [family, given] : [anyFamilyKana, anyGivenKana]
  return {
    given_name: given,
    given_name_pronunciation: givenKana,
    ...(family !== '' && { family_name: family, family_name_pronunciation: familyKana }),
  }
}

const familyKana = ['ヤマダ', 'サトウ', 'スズキ']
const givenKana = ['ハナコ', 'タロウ', 'アオイ', 'ユウ']

/** The street may have two lines. */
const addresses = [
  {
    postal_code: '1028282',
    region: '東京都',
    locality: '千代田区',
    street_address: '紀尾井町1-3\n紀尾井タワー',
    country: 'JP',
  },
  { postal_code: '5300001', region: '大阪府', locality: '大阪市北区', street_address: '梅田3-1', country: 'JP' },
]

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
