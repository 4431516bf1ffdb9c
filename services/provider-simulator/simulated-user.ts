import { createHash } from 'node:crypto'
import type { Scenarios } from './scenarios/scenarios.ts'

/** An end user's account at a provider, derived from the name that was entered. */
export interface SimulatedUser {
  /** 64 hex digits that depend only on provider and name; all IDs are derived from them. */
  readonly digest: string
  readonly name: string
  readonly given_name: string
  /** Absent for a name of one word, because providers do not guarantee it. */
  readonly family_name: string | undefined
  /** Undefined when the provider sends none. */
  readonly email: string | undefined
  /** Undefined without an e-mail address. */
  readonly email_verified: boolean | undefined
  readonly picture: string
}

interface UserParts {
  /** The simulator's base URL, which serves the picture. */
  readonly url: string
  readonly scenarios: Scenarios
}

export function deriveUser(name: string, provider: string, { url, scenarios }: UserParts): SimulatedUser {
  const active = scenarios.activeFor(provider, name)
  const hasEmail = !active.has('no_email')
  const digest = createHash('sha256').update(`${provider}\n${name}`).digest('hex')
  const [givenName = name, ...rest] = name.split(' ')
  return {
    digest,
    name,
    given_name: givenName,
    family_name: rest.length > 0 ? rest.join(' ') : undefined,
    email: hasEmail ? `${toMailbox(name, digest)}@${provider}.example` : undefined,
    email_verified: hasEmail ? !active.has('unverified_email') : undefined,
    picture: `${url}/people/${digest.slice(0, 24)}.svg`,
  }
}

/** A name that is not a valid local part gets a unique suffix, so that accounts never share an address. */
function toMailbox(name: string, digest: string): string {
  if (/^[a-z0-9]+([._-][a-z0-9]+)*$/.test(name)) return name
  const readable = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '.')
    .replace(/^\.|\.$/g, '')
  return `${readable || 'someone'}.${digest.slice(0, 6)}`
}

interface JapaneseName {
  /** Empty for a name of one word. */
  readonly family: string
  readonly given: string
  /** Undefined for a name in another script, such as Latin. */
  readonly script: 'Kana' | 'Hani' | undefined
}

/** The parts of a name as Japanese accounts have them. A name in kana or kanji begins with the family name. */
export function toJapaneseName({ name, given_name, family_name = '' }: SimulatedUser): JapaneseName {
  const script = scripts.find(({ pattern }) => pattern.test(name))?.script
  if (script === undefined) return { family: family_name, given: given_name, script }
  const [first = '', ...rest] = name.split(' ')
  return rest.length > 0 ? { family: first, given: rest.join(' '), script } : { family: '', given: first, script }
}

const scripts = [
  { script: 'Kana', pattern: /^[\p{Script=Hiragana}\p{Script=Katakana}ー ]+$/u },
  { script: 'Hani', pattern: /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー ]+$/u },
] as const
