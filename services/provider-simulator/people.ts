import { createHash } from 'node:crypto'
import type { Scenarios } from './scenarios/scenarios.ts'

/** An end user's account at a provider, derived from the name that was typed. */
export interface Person {
  /** 64 hex digits that depend only on provider and name; ids of all kinds are parts of it. */
  readonly digest: string
  readonly name: string
  readonly given_name: string
  /** Absent for a name of one word: providers do not promise it. */
  readonly family_name: string | undefined
  /** Undefined when the provider sends none. */
  readonly email: string | undefined
  /** Undefined without an address. */
  readonly email_verified: boolean | undefined
  readonly picture: string
}

interface PeopleParts {
  /** The simulator's base address, under which the picture is served. */
  readonly url: string
  readonly scenarios: Scenarios
}

export function personNamed(name: string, provider: string, { url, scenarios }: PeopleParts): Person {
  const active = scenarios.activeFor(provider, name)
  const hasEmail = !active.has('no_email')
  const digest = createHash('sha256').update(`${provider}\n${name}`).digest('hex')
  const [givenName = name, ...rest] = name.split(' ')
  return {
    digest,
    name,
    given_name: givenName,
    family_name: rest.length > 0 ? rest.join(' ') : undefined,
    email: hasEmail ? `${mailbox(name, digest)}@${provider}.example` : undefined,
    email_verified: hasEmail ? !active.has('unverified_email') : undefined,
    picture: `${url}/people/${digest.slice(0, 24)}.svg`,
  }
}

/** A name that is not a valid local part gets a suffix of its own, so that no two accounts share an address. */
function mailbox(name: string, digest: string): string {
  if (/^[a-z0-9]+([._-][a-z0-9]+)*$/.test(name)) return name
  const readable = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '.')
    .replace(/^\.|\.$/g, '')
  return `${readable || 'someone'}.${digest.slice(0, 6)}`
}
