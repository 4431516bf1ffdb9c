import { z } from 'zod'
import {
  type ClaimMapping,
  type ClaimPointer,
  type CodeRule,
  Count,
  type CountRule,
  type DateRule,
  type FlagRule,
  type ListRule,
  type ProfileItem,
  type ProviderData,
  type ProviderProfile,
  type TextRule,
} from '#contracts'
import { findClaim, findClaims } from './find-claims.ts'
import { optionalText } from './optional-text.ts'

/**
 * Reads a provider's claims about an end user by its rules. What is absent, empty or of another type is absent: it must
 * not fail the login.
 */
export function readClaims(mapping: ClaimMapping, claims: unknown): ProviderData {
  const fields = Object.entries(mapping.profile).map(([field, source]) => [field, readField(source, claims)])
  // Each field has a rule for its type.
  const profile = Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as ProviderProfile
  const data = {
    profile,
    follow: readFollow(mapping.follow, claims),
    email: readEmail(mapping.email, claims),
    phone: readPhone(mapping.phone, claims),
  }
  if (mapping.sentOnce === undefined) return data
  const supplied = new Set<string>(Object.keys(profile))
  if (data.email.length > 0) supplied.add('email')
  const isMissing = (group: readonly ProfileItem[]) => !group.some((item) => supplied.has(item))
  return { ...data, not_obtained: mapping.sentOnce.filter(isMissing).flat() }
}

type Source = ClaimPointer | TextRule | ListRule | DateRule | CodeRule | CountRule | FlagRule

function readField(source: Source, claims: unknown) {
  if (typeof source === 'string') return readText(claims, source)
  switch (source.as) {
    case 'text':
      return readTexts(source, claims)
    case 'list':
      return readList(source, claims)
    case 'date':
      return readDate(source, claims)
    case 'code':
      return readCode(source, claims)
    case 'count':
      return (source.text ? Count.or(CountText) : Count).safeParse(findClaim(claims, source.from)).data
    case 'flag':
      return (source.text ? Flag : z.boolean()).safeParse(findClaim(claims, source.from)).data
  }
}

function readText(claims: unknown, pointer: ClaimPointer): string | undefined {
  return optionalText.parse(findClaim(claims, pointer))
}

const Flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])

const CountText = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)

function readTexts({ from, join, template, unless }: TextRule, claims: unknown): string | undefined {
  if (unless !== undefined && findClaim(claims, unless) === true) return undefined
  const texts = from.flatMap((pointer) => readText(claims, pointer) ?? [])
  if (template !== undefined) {
    const values = texts.values()
    return texts.length < from.length ? undefined : template.replaceAll('{}', () => values.next().value ?? '')
  }
  if (join === undefined) return texts[0]
  return texts.length === 0 || (join === 'all' && texts.length < from.length) ? undefined : texts.join(' ')
}

function readList({ from, template = '{}' }: ListRule, claims: unknown): string[] | undefined {
  for (const pointer of from) {
    const texts = findClaims(claims, pointer).flatMap((claim) => optionalText.parse(claim) ?? [])
    if (texts.length > 0) return texts.map((text) => template.replace('{}', () => text))
  }
  return undefined
}

/** The year 0000 stands for none (OpenID Connect Core 5.1). */
function readDate({ from, format }: DateRule, claims: unknown): string | undefined {
  const parts = [from].flat().map((pointer) => readText(claims, pointer) ?? '')
  const { year, month, day } = toDateForm(format).exec(parts.join('-'))?.groups ?? {}
  return year === '0000' ? undefined : z.iso.date().safeParse(`${year}-${month}-${day}`).data
}

function toDateForm(format: string): RegExp {
  const form = format
    .replace(/[./]/g, '\\$&')
    .replace('YYYY', '(?<year>\\d{4})')
    .replace('MM', '(?<month>\\d\\d)')
    .replace('DD', '(?<day>\\d\\d)')
  return new RegExp(`^${form}$`)
}

function readCode({ from, codes, otherwise }: CodeRule, claims: unknown): number | undefined {
  const claim = findClaim(claims, from)
  const text = typeof claim === 'number' ? String(claim) : optionalText.parse(claim)
  if (text === undefined) return undefined
  return Object.hasOwn(codes, text) ? codes[text] : otherwise
}

function readFollow(rules: ClaimMapping['follow'], claims: unknown): ProviderData['follow'] {
  if (rules === undefined) return null
  const [followedBy, following] = [rules.followed_by, rules.following].map(
    (pointer) => Count.safeParse(findClaim(claims, pointer)).data ?? null,
  )
  return followedBy == null && following == null
    ? null
    : { followed_by: followedBy ?? null, following: following ?? null }
}

/** An address counts as verified only if the provider says so, with a boolean or with the text of older responses. */
function readEmail(rules: ClaimMapping['email'], claims: unknown): ProviderData['email'] {
  if (rules === undefined) return []
  const sources = rules.list === undefined ? [claims] : findClaims(claims, `${rules.list}/*`)
  return sources.flatMap((source) => {
    const email = readText(source, rules.address)
    if (email === undefined || (rules.if !== undefined && findClaim(source, rules.if) !== true)) return []
    const verified = typeof rules.verified === 'string' ? findClaim(source, rules.verified) : rules.verified
    return [{ email, verified: verified === true || verified === 'true' }]
  })
}

function readPhone(rules: ClaimMapping['phone'], claims: unknown): ProviderData['phone'] {
  const number = rules && readText(claims, rules.number)
  return rules === undefined || number === undefined ? [] : [{ number, verified: false, type: rules.type }]
}
