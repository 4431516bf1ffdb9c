import { z } from 'zod'
import type { OmittedAccount, WrittenRecord } from '../record.ts'

/** A user of another system, converted. */
export interface ConvertedUser {
  readonly record: WrittenRecord
  /** Whether the other system lets the user log in no more. */
  readonly isBlocked: boolean
  readonly omitted: readonly OmittedAccount[]
}

/** How the users of another system are found in its files, and converted. */
export interface ForeignFormat {
  readonly title: string
  /** The field of a document that lists users; a list of users needs none. */
  readonly list: string
  /** Whether a value has what only a user of this system has. */
  readonly isUser: (value: Readonly<Record<string, unknown>>) => boolean
  /** @throws z.ZodError if a field has not its form */
  readonly convert: (user: unknown, providers: ForeignProviderNames) => ConvertedUser
}

/** Login providers by the names that other systems usually give them. */
const usualNames: Readonly<Record<string, string>> = {
  apple: 'device',
  'apple.com': 'device',
  facebook: 'social',
  'facebook.com': 'social',
  google: 'search',
  'google.com': 'search',
  'google-oauth2': 'search',
  googleplus: 'search',
  line: 'messaging',
  signinwithapple: 'device',
  twitter: 'microblog',
  'twitter.com': 'microblog',
  x: 'microblog',
  yahoojapan: 'portal',
}

/** Names under which other systems store passwords, codes and their own accounts, with which end users do not log in here. */
const ownAccounts: ReadonlySet<string> = new Set(['auth0', 'email', 'password', 'phone', 'site', 'sms'])

/** Finds our provider for the names that a file gives to one. */
export interface ForeignProviderNames {
  readonly find: (account: Pick<ForeignAccount, 'names' | 'usual_names'>) => string | undefined
}

/** Our provider of a name that ends in it, such as `my-line` or `line:`; undefined if there is none. */
export function guessProvider(name: string): string | undefined {
  const words = name.toLowerCase().split(/[^a-z0-9]+/)
  return words.map((word) => usualNames[word]).find((provider) => provider !== undefined)
}

/** @param chosen our provider by the name in the file, before the usual names */
export function createForeignProviderNames(chosen: ReadonlyMap<string, string>): ForeignProviderNames {
  return {
    find: ({ names, usual_names = names }) =>
      names.map((name) => chosen.get(name)).find((provider) => provider !== undefined) ??
      usual_names.map((name) => usualNames[name.toLowerCase()]).find((provider) => provider !== undefined),
  }
}

type WrittenLink = NonNullable<WrittenRecord['links']>[number]

/** What another system stores about a user. */
export interface ForeignUserData {
  readonly profile?: Readonly<Record<string, string | null | undefined>>
  readonly email?: readonly { readonly email: string; readonly verified: boolean }[]
  readonly phone?: readonly { readonly number: string; readonly verified: boolean }[]
}

/** An account at a login provider, as another system stores it. */
export interface ForeignAccount extends ForeignUserData {
  /** The names of the provider, the most specific one first: it is shown if the provider is unknown. */
  readonly names: readonly [string, ...string[]]
  /** Those that say which provider it is, if not all do: a site can give a connection any name. */
  readonly usual_names?: readonly string[]
  readonly provider_user_id: string
  readonly created_at?: string | undefined
}

/**
 * Links for the accounts of providers that we know, and the accounts that are omitted.
 *
 * @param person what the other system stores about the user itself; the first link takes what its account does not say
 */
export function toLinks(
  accounts: readonly ForeignAccount[],
  providers: ForeignProviderNames,
  person: ForeignUserData = {},
): { readonly links: WrittenLink[]; readonly omitted: OmittedAccount[] } {
  const links: WrittenLink[] = []
  const omitted: OmittedAccount[] = []
  for (const account of accounts) {
    const { names, provider_user_id, created_at } = account
    const [name] = names
    const provider = providers.find(account)
    if (provider === undefined) {
      const because = isOwnAccount(account) ? 'not_of_a_provider' : 'unknown_provider'
      omitted.push({ name, because })
    } else if (links.some((link) => link.provider === provider)) omitted.push({ name, because: 'second_of_provider' })
    else {
      const data = toData(links.length === 0 ? complete(account, person) : account)
      // The console checks the provider: `--provider` can name one that does not exist.
      links.push({
        provider: provider as WrittenLink['provider'],
        provider_user_id,
        data,
        ...(created_at === undefined ? {} : { created_at }),
      })
    }
  }
  return { links: links.map(({ data, ...link }) => (data === undefined ? link : { ...link, data })), omitted }
}

/** Whether it is a password, a code or an account of the other system itself. */
export function isOwnAccount({ names }: Pick<ForeignAccount, 'names'>): boolean {
  return names.some((name) => ownAccounts.has(name))
}

function complete({ profile, email = [], phone = [] }: ForeignUserData, person: ForeignUserData): ForeignUserData {
  return {
    profile: { ...withoutEmpty(person.profile), ...withoutEmpty(profile) },
    email: email.length > 0 ? email : (person.email ?? []),
    phone: phone.length > 0 ? phone : (person.phone ?? []),
  }
}

function toData({ profile, email = [], phone = [] }: ForeignUserData): WrittenLink['data'] {
  const known = withoutEmpty(profile)
  if (Object.keys(known).length + email.length + phone.length === 0) return undefined
  return { profile: known, email: [...email], phone: phone.map((one) => ({ ...one, type: 'phone' as const })) }
}

function withoutEmpty(profile: ForeignUserData['profile'] = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(profile).flatMap(([key, value]) => (value == null || value === '' ? [] : [[key, value]])),
  )
}

/** A time as other systems write it, ISO 8601 with any offset or RFC 9110, in our format; as it is if it is none. */
export function toTime(written: string | number | undefined | null): string | undefined {
  if (written === undefined || written === null || written === '') return undefined
  const time = new Date(written)
  return Number.isNaN(time.getTime()) ? String(written) : time.toISOString()
}

/** Milliseconds since 1970, which some systems write as text. */
export const Milliseconds = z
  .union([z.number(), z.string().regex(/^\d*$/)])
  .nullish()
  .transform((ms) => (ms === '' || ms == null ? undefined : Number(ms)))

/** Text that may be missing. */
export const OptionalText = z.string().nullish()

/** An ID, which some systems write as a number. `parseExactJson` keeps its digits. */
export const ForeignId = z.union([z.string().min(1), z.int()]).transform(String)

/** A boolean that may be missing, which some systems write as text. */
export const OptionalBoolean = z
  .union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false', ''] })])
  .nullish()

/** A part of the metadata as another system stores it; undefined if it has none. */
export const OptionalMetadata = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((part) => (part == null || Object.keys(part).length === 0 ? undefined : part))

/** The parts of the metadata that a user has, as fields of a record. */
export function toMetadata(
  parts: Partial<Record<'user_metadata' | 'app_metadata', Record<string, unknown> | undefined>>,
): Pick<WrittenRecord, 'user_metadata' | 'app_metadata'> {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined))
}

/** An e-mail address as a list. */
export function toEmailList(email: string | null | undefined, verified: boolean | null | undefined) {
  return email ? [{ email, verified: verified === true }] : []
}

/** A phone number as a list. */
export function toPhoneList(number: string | null | undefined, verified: boolean | null | undefined) {
  return number ? [{ number, verified: verified === true }] : []
}
