import { type Person, personNamed } from '../../people.ts'
import type { Microblog } from './state.ts'

export interface Member extends Person {
  /** Decimal digits, too many for a number. */
  readonly id: string
  /** At most 15 characters of A-Z, a-z, 0-9 and _. */
  readonly screen_name: string
  readonly description: string
  readonly location: string
  /** A shortened link, and where it leads. */
  readonly link: { readonly url: string; readonly expanded_url: string }
  readonly followers: number
  readonly following: number
}

export function memberNamed(name: string, microblog: Microblog): Member {
  const person = personNamed(name, 'microblog', microblog)
  const { digest } = person
  const chosen = (from: number, below: number) => Number.parseInt(digest.slice(from, from + 6), 16) % below
  const readable = name.normalize('NFKD').replace(/[^A-Za-z0-9]+/g, '')
  return {
    ...person,
    // Only confirmed addresses are told.
    email: person.email_verified ? person.email : undefined,
    id: (10n ** 18n + (BigInt(`0x${digest.slice(0, 24)}`) % 10n ** 18n)).toString(),
    screen_name: `${readable.slice(0, 8) || 'someone'}_${digest.slice(0, 6)}`,
    description: `${name} writes little and reads a lot.`,
    location: places[chosen(6, places.length)] ?? '',
    link: {
      url: `https://t.co/${digest.slice(0, 10)}`,
      expanded_url: `https://blog.example/${digest.slice(0, 10)}`,
    },
    followers: chosen(12, 5_000),
    following: chosen(18, 800),
  }
}

const places = ['東京', 'Reykjavík', 'Nairobi', 'Lima']
