import type { ProfileItem, ProviderProfile } from '../profile-items.ts'

/**
 * A JSON Pointer (RFC 6901) into the claims of a provider, e.g. `/picture/data/url`. Our addition: `*` stands for every
 * element of a list.
 */
export type ClaimPointer = string

/** The profile of an end user, as rules about the claims of a provider. What a rule cannot read counts as absent. */
export interface ClaimMapping {
  readonly profile: { readonly [F in keyof ProviderProfile]?: SourceOf<NonNullable<ProviderProfile[F]>> }
  /**
   * `verified`: a claim that is true or "true", or what is known about all addresses of the provider. With `list`, the
   * pointers are into each element of that list, and only those count whose `if` is true.
   */
  readonly email?: {
    readonly address: ClaimPointer
    readonly verified: ClaimPointer | boolean
    readonly list?: ClaimPointer
    readonly if?: ClaimPointer
  }
  /** Numbers that the provider has not said to be verified. */
  readonly phone?: { readonly number: ClaimPointer; readonly type: 'phone' | 'mobile' }
  readonly follow?: { readonly followed_by: ClaimPointer; readonly following: ClaimPointer }
  /**
   * Groups of items that the provider does not send at every login: if all of a group are missing, the stored ones stay.
   */
  readonly sentOnce?: readonly (readonly ProfileItem[])[]
}

type SourceOf<V> = V extends string
  ? ClaimPointer | TextRule | DateRule
  : V extends readonly string[]
    ? ListRule
    : V extends number
      ? CodeRule | CountRule
      : FlagRule

/**
 * The first claim that is a text; with `join`, all of them with a space between: all must be there, or any. With `template`,
 * all must be there, and each `{}` stands for one of them.
 */
export interface TextRule {
  readonly as: 'text'
  readonly from: readonly ClaimPointer[]
  readonly join?: 'all' | 'any'
  readonly template?: string
  /** If this claim is true, the text says nothing. */
  readonly unless?: ClaimPointer
}

/** The texts of the first claim that has any. `{}` of the template stands for each text. */
export interface ListRule {
  readonly as: 'list'
  readonly from: readonly ClaimPointer[]
  readonly template?: string
}

/**
 * A day of a year. A day without a year, or a year only, is no birthday. `format` has `YYYY`, `MM` and `DD`; several claims
 * are joined by a hyphen.
 */
export interface DateRule {
  readonly as: 'date'
  readonly from: ClaimPointer | readonly ClaimPointer[]
  readonly format: string
}

/** The code of a text or number; `otherwise` is that of all texts that are not listed. */
export interface CodeRule {
  readonly as: 'code'
  readonly from: ClaimPointer
  readonly codes: Readonly<Record<string, number>>
  readonly otherwise?: number
}

/** An integer that is not negative; with `text`, also as one. */
export interface CountRule {
  readonly as: 'count'
  readonly from: ClaimPointer
  readonly text?: true
}

/** A boolean; with `text`, also "true" and "false". */
export interface FlagRule {
  readonly as: 'flag'
  readonly from: ClaimPointer
  readonly text?: true
}

/** The claims `email` and `email_verified` (OpenID Connect Core 5.1). */
export const standardEmail = { address: '/email', verified: '/email_verified' } as const

/** The claim `address` (OpenID Connect Core 5.1.1). */
export const standardAddress = {
  postal_code: '/address/postal_code',
  prefecture: '/address/region',
  city: '/address/locality',
  street: '/address/street_address',
} as const

/** The claim `birthdate` (OpenID Connect Core 5.1), which can also be a year only. */
export const standardBirthday = { as: 'date', from: '/birthdate', format: 'YYYY-MM-DD' } as const

export const genderCodes = { male: 1, female: 2 } as const

/** The items that the rules can supply. */
export function listSuppliedItems({ profile, email, phone, follow }: ClaimMapping): ProfileItem[] {
  // `Object.keys` loses the type of the keys.
  const fields = Object.keys(profile) as (keyof ClaimMapping['profile'])[]
  return [
    ...fields,
    ...(follow === undefined ? [] : (['follow'] as const)),
    ...(email === undefined ? [] : (['email'] as const)),
    ...(phone === undefined ? [] : (['phone'] as const)),
  ]
}
