import { createHash } from 'node:crypto'
import type { SimulatedClient } from '../../client-registry.ts'
import type { Identity } from '../../oauth/dialect.ts'
import type { SimulatedUser } from '../../simulated-user.ts'

/** The fields of a user by the permission that they require. */
export const permissionFields: Readonly<Record<string, readonly string[]>> = {
  public_profile: ['id', 'name', 'first_name', 'middle_name', 'last_name', 'name_format', 'short_name', 'picture'],
  email: ['email'],
  user_age_range: ['age_range'],
  user_birthday: ['birthday'],
  user_gender: ['gender'],
  user_hometown: ['hometown'],
  user_link: ['link'],
  user_location: ['location'],
}

/** All fields of a user; data that was not entered is absent. */
export function deriveGraphUser({ user, sub }: Identity, url: string): Readonly<Record<string, unknown>> {
  const number = Number.parseInt(user.digest.slice(0, 8), 16)
  const middle = getMiddleName(user)
  return {
    id: sub,
    name: user.name,
    first_name: user.given_name,
    ...(middle !== undefined && { middle_name: middle }),
    ...(user.family_name !== undefined && { last_name: user.family_name.slice(middle ? middle.length + 1 : 0) }),
    name_format: '{first} {last}',
    short_name: user.given_name,
    picture: { data: { height: 200, is_silhouette: false, url: user.picture, width: 200 } },
    email: user.email,
    age_range: { min: 21 },
    birthday: `${twoDigits(1 + (number % 12))}/${twoDigits(1 + (number % 28))}/${1950 + (number % 50)}`,
    gender: number % 2 === 0 ? 'female' : 'male',
    hometown: cities[number % cities.length],
    link: `${url}/social/app_scoped_user_id/${user.digest.slice(0, 24)}/`,
    location: cities[(number >> 2) % cities.length],
  }
}

const cities = [
  { id: '106078429431815', name: 'London, United Kingdom' },
  { id: '110585945628334', name: 'Tokyo, Japan' },
  { id: '114952118516947', name: 'San Francisco, California' },
]

/** 17 digits, different for each client. */
export function deriveSocialUserId({ digest }: SimulatedUser, { client_id }: SimulatedClient): string {
  const scoped = createHash('sha256').update(`${digest}\n${client_id}`).digest('hex')
  const number = BigInt(`0x${scoped.slice(0, 16)}`)
  return `1${number.toString().padStart(20, '0').slice(-16)}`
}

/** The middle names: in a name of three or more words, those between the first and the last. */
function getMiddleName({ family_name }: SimulatedUser): string | undefined {
  const words = family_name?.split(' ') ?? []
  return words.length > 1 ? words.slice(0, -1).join(' ') : undefined
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
