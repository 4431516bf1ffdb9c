import type { CatalogEntry } from '#catalog'
import type { ClaimMapping, ClaimPointer } from '#contracts'
import type { Identity } from '../../oauth/dialect.ts'

type Json = Record<string, unknown>

/** The claims about an end user, and those of further resources by their names. */
export interface DescribedClaims {
  readonly user: Json
  readonly resources: Json
}

/**
 * The claims that the provider documents, about this end user: with their ID, name, e-mail address and picture where the
 * entry's rules read them.
 */
export function describeUser({ definition, example }: CatalogEntry, { user, sub }: Identity): DescribedClaims {
  const { protocol } = definition
  const claims: Json = structuredClone({ ...example.user, ...example.resources })
  if (protocol.type === 'oidc') claims.sub = sub
  else setAt(claims, protocol.user_id, (known) => (typeof known === 'number' ? toNumber(user.digest) : sub))
  const { profile, email }: ClaimMapping = protocol.claims
  const texts = [
    [profile.full_name, user.name],
    [profile.user_name, user.name],
    [profile.first_name, user.given_name],
    [profile.last_name, user.family_name],
    [profile.image_url, user.picture],
  ] as const
  for (const [rule, text] of texts) if (typeof rule === 'string') setAt(claims, rule, () => text)
  if (email !== undefined) {
    const base = email.list === undefined ? '' : `${email.list}/0`
    setAt(claims, base + email.address, () => user.email)
    const { verified } = email
    if (typeof verified === 'string') setAt(claims, base + verified, () => user.email_verified)
  }
  const names = Object.keys(example.resources ?? {})
  const entries = Object.entries(claims)
  return {
    user: Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
    resources: Object.fromEntries(entries.filter(([name]) => names.includes(name))),
  }
}

/** Replaces the claim at a pointer, if the example has it; undefined removes it. */
function setAt(claims: Json, pointer: ClaimPointer, change: (known: unknown) => unknown): void {
  const path = pointer.split('/').slice(1)
  const last = path.pop() ?? ''
  const parent = path.reduce<unknown>((value, step) => Object(value)[step], claims)
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, last)) return
  const value = change(Reflect.get(parent, last))
  if (value === undefined) Reflect.deleteProperty(parent, last)
  else Reflect.set(parent, last, value)
}

/** An ID with 13 digits. */
function toNumber(digest: string): number {
  return 10 ** 12 + Number.parseInt(digest.slice(0, 10), 16)
}
