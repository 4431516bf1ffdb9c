import { createHash } from 'node:crypto'
import type { Behaviours } from './behaviours/behaviours.ts'

/** An account at a provider: whoever types the same name there is the same person. */
export interface Person {
  /** 64 hex digits that depend on provider and name alone; ids of all kinds are cut from it. */
  readonly digest: string
  readonly name: string
  readonly given_name: string
  /** Absent for a name of one word: providers do not promise it. */
  readonly family_name: string | undefined
  /** Undefined when the provider tells none. */
  readonly email: string | undefined
  /** Undefined without an address. */
  readonly email_verified: boolean | undefined
  readonly picture: string
}

interface PeopleParts {
  /** The simulator's base address, under which the picture is served. */
  readonly url: string
  readonly behaviours: Behaviours
}

export function personNamed(name: string, provider: string, { url, behaviours }: PeopleParts): Person {
  const in_force = behaviours.of(provider, name)
  const has_email = !in_force.has('no_email')
  const digest = createHash('sha256').update(`${provider}\n${name}`).digest('hex')
  const [given_name = name, ...rest] = name.split(' ')
  return {
    digest,
    name,
    given_name,
    family_name: rest.length > 0 ? rest.join(' ') : undefined,
    email: has_email ? `${mailbox(name, digest)}@${provider}.example` : undefined,
    email_verified: has_email ? !in_force.has('unverified_email') : undefined,
    picture: `${url}/people/${digest.slice(0, 24)}.svg`,
  }
}

/** A name that cannot stand before the @ as it is gets digits of its own, so that no two people share an address. */
function mailbox(name: string, digest: string): string {
  if (/^[a-z0-9]+([._-][a-z0-9]+)*$/.test(name)) return name
  const readable = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '.')
    .replace(/^\.|\.$/g, '')
  return `${readable || 'someone'}.${digest.slice(0, 6)}`
}
