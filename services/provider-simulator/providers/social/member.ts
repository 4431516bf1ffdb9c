import { createHash } from 'node:crypto'
import { type Person, personNamed } from '../../people.ts'
import type { Authorization, Social } from './state.ts'

/** The fields of a person by the permission that opens them. */
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

/** Everything there is about a person; what was never filled in is absent. */
export function memberOf(
  { name, client_id }: Pick<Authorization, 'name' | 'client_id'>,
  social: Social,
): Readonly<Record<string, unknown>> {
  const person = personNamed(name, 'social', social)
  const chosen = Number.parseInt(person.digest.slice(0, 8), 16)
  const middle = middleName(person)
  return {
    id: memberId(person, client_id),
    name,
    first_name: person.given_name,
    ...(middle !== undefined && { middle_name: middle }),
    ...(person.family_name !== undefined && { last_name: person.family_name.slice(middle ? middle.length + 1 : 0) }),
    name_format: '{first} {last}',
    short_name: person.given_name,
    picture: { data: { height: 200, is_silhouette: false, url: person.picture, width: 200 } },
    email: person.email,
    age_range: { min: 21 },
    birthday: `${twoDigits(1 + (chosen % 12))}/${twoDigits(1 + (chosen % 28))}/${1950 + (chosen % 50)}`,
    gender: chosen % 2 === 0 ? 'female' : 'male',
    hometown: cities[chosen % cities.length],
    link: `${social.url}/social/app_scoped_user_id/${person.digest.slice(0, 24)}/`,
    location: cities[(chosen >> 2) % cities.length],
  }
}

const cities = [
  { id: '106078429431815', name: 'London, United Kingdom' },
  { id: '110585945628334', name: 'Tokyo, Japan' },
  { id: '114952118516947', name: 'San Francisco, California' },
]

/** A person is known to each application by another id, of digits. */
function memberId({ digest }: Person, client_id: string): string {
  const scoped = createHash('sha256').update(`${digest}\n${client_id}`).digest('hex')
  return `1${BigInt(`0x${scoped.slice(0, 16)}`)
    .toString()
    .padStart(20, '0')
    .slice(-16)}`
}

/** Of a name of three words or more, what stands between the first and the last. */
function middleName({ family_name }: Person): string | undefined {
  const words = family_name?.split(' ') ?? []
  return words.length > 1 ? words.slice(0, -1).join(' ') : undefined
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
