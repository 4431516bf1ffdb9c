import type { SimulatedUser } from '../../simulated-user.ts'

/** Account data that other providers do not have. */
export interface MicroblogProfile {
  /** At most 15 characters of A-Z, a-z, 0-9 and _. */
  readonly screenName: string
  readonly description: string
  readonly location: string
  /** A shortened link and its target. */
  readonly link: { readonly url: string; readonly expanded_url: string }
  readonly followers: number
  readonly following: number
  /** Undefined unless it is confirmed: the provider returns only confirmed addresses. */
  readonly confirmedEmail: string | undefined
}

/** 19 decimal digits, which exceeds the range of JSON numbers. */
export function deriveMicroblogUserId({ digest }: SimulatedUser): string {
  return (10n ** 18n + (BigInt(`0x${digest.slice(0, 24)}`) % 10n ** 18n)).toString()
}

export function deriveProfile({ name, digest, email, email_verified }: SimulatedUser): MicroblogProfile {
  const number = (from: number, below: number) => Number.parseInt(digest.slice(from, from + 6), 16) % below
  const readable = name.normalize('NFKD').replace(/[^A-Za-z0-9]+/g, '')
  return {
    screenName: `${readable.slice(0, 8) || 'someone'}_${digest.slice(0, 6)}`,
    description: `${name} writes little and reads a lot.`,
    location: places[number(6, places.length)] ?? '',
    link: {
      url: `https://t.co/${digest.slice(0, 10)}`,
      expanded_url: `https://blog.example/${digest.slice(0, 10)}`,
    },
    followers: number(12, 5_000),
    following: number(18, 800),
    confirmedEmail: email_verified ? email : undefined,
  }
}

const places = ['東京', 'Reykjavík', 'Nairobi', 'Lima']
