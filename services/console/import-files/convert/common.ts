import { z } from 'zod'
import type { ProviderMap, WrittenRecord } from '../record.ts'

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
  yahoojapan: 'portal',
}

type WrittenLink = NonNullable<WrittenRecord['links']>[number]

/** An account at a login provider, as another system stores it. */
export interface ForeignAccount {
  readonly provider: string
  readonly provider_user_id: string
  readonly created_at?: string | undefined
  readonly profile?: Readonly<Record<string, string | null | undefined>>
  readonly email?: readonly { readonly email: string; readonly verified: boolean }[]
  readonly phone?: readonly { readonly number: string; readonly verified: boolean }[]
}

/** Links for the accounts of providers that we know; others, such as passwords, cannot log in here and are omitted. */
export function toLinks(accounts: readonly ForeignAccount[], providers: ProviderMap): WrittenLink[] {
  const seen = new Set<string>()
  return accounts.flatMap((account): WrittenLink[] => {
    const { provider: name, provider_user_id, created_at, profile = {}, email = [], phone = [] } = account
    const provider = providers.get(name) ?? usualNames[name.toLowerCase()]
    if (provider === undefined || seen.has(provider)) return []
    seen.add(provider)
    const known = Object.fromEntries(Object.entries(profile).filter(([, value]) => value != null && value !== ''))
    const hasData = Object.keys(known).length + email.length + phone.length > 0
    const numbers = phone.map((one) => ({ ...one, type: 'phone' as const }))
    // The console checks the provider: `--provider` can name one that does not exist.
    return [
      {
        provider: provider as WrittenLink['provider'],
        provider_user_id,
        ...(created_at === undefined ? {} : { created_at }),
        ...(hasData ? { data: { profile: known, email: [...email], phone: numbers } } : {}),
      },
    ]
  })
}

/** A time as other systems write it, ISO 8601 with any offset, in our format; undefined if there is none. */
export function toTime(written: string | number | undefined | null): string | undefined {
  if (written === undefined || written === null || written === '') return undefined
  const time = new Date(written)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

/** Text that may be missing. */
export const OptionalText = z.string().nullish()

/** An e-mail address as a list. */
export function toEmailList(email: string | null | undefined, verified: boolean | null | undefined) {
  return email ? [{ email, verified: verified === true }] : []
}
