import { createHash } from 'node:crypto'
import type { Client } from '../../clients.ts'
import type { Identity } from '../../oauth/dialect.ts'
import type { Person } from '../../people.ts'

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

/** All fields of a user; what was never entered is absent. */
export function userOf({ person, sub }: Identity, url: string): Readonly<Record<string, unknown>> {
  const number = Number.parseInt(person.digest.slice(0, 8), 16)
  const middle = middleName(person)
  return {
    id: sub,
    name: person.name,
    first_name: person.given_name,
    ...(middle !== undefined && { middle_name: middle }),
    ...(person.family_name !== undefined && { last_name: person.family_name.slice(middle ? middle.length + 1 : 0) }),
    name_format: '{first} {last}',
    short_name: person.given_name,
    picture: { data: { height: 200, is_silhouette: false, url: person.picture, width: 200 } },
    email: person.email,
    age_range: { min: 21 },
    birthday: `${twoDigits(1 + (number % 12))}/${twoDigits(1 + (number % 28))}/${1950 + (number % 50)}`,
    gender: number % 2 === 0 ? 'female' : 'male',
    hometown: cities[number % cities.length],
    link: `${url}/social/app_scoped_user_id/${person.digest.slice(0, 24)}/`,
    location: cities[(number >> 2) % cities.length],
  }
}

const cities = [
  { id: '106078429431815', name: 'London, United Kingdom' },
  { id: '110585945628334', name: 'Tokyo, Japan' },
  { id: '114952118516947', name: 'San Francisco, California' },
]

/** 17 digits, others for each client. */
export function userIdOf({ digest }: Person, { client_id }: Client): string {
  const scoped = createHash('sha256').update(`${digest}\n${client_id}`).digest('hex')
  const number = BigInt(`0x${scoped.slice(0, 16)}`)
  return `1${number.toString().padStart(20, '0').slice(-16)}`
}

/** In a name of three words or more, those between the first and the last. */
function middleName({ family_name }: Person): string | undefined {
  const words = family_name?.split(' ') ?? []
  return words.length > 1 ? words.slice(0, -1).join(' ') : undefined
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
