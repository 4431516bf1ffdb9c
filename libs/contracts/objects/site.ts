import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { limits } from '../limits.ts'
import { builtInLoginProviders } from '../login-providers/index.ts'
import { ProfileItem } from '../profile-items.ts'
import { LoginProvider, Provider } from '../providers.ts'
import { Count, Slug, Text, Timestamp } from '../scalars.ts'
import { LanguageTag } from './site-look.ts'

/**
 * An address or CIDR block that may call the Web API, e.g. `192.0.2.7` or `2001:db8::/32`, in its shortest form. The
 * address of a block must not have bits beyond the prefix, so that no block allows more than intended.
 */
export const AllowedAddress = z
  .string()
  .superRefine((text, context) => {
    if (!AddressOrBlock.safeParse(text).success)
      return context.addIssue({ code: 'custom', message: 'is neither an IP address nor a CIDR block' })
    const block = toBlock(text)
    if (block !== text && !isSameAddress(text, block))
      context.addIssue({
        code: 'custom',
        message: `is no block, as it has bits beyond its prefix; the block is ${block}`,
      })
  })
  .overwrite((written) => (AddressOrBlock.safeParse(written).success ? toBlock(written) : written))

const AddressOrBlock = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** Returns the block or address in its shortest form. IPv4-mapped IPv6 becomes IPv4. */
function toBlock(written: string): string {
  if (!written.includes('/')) return ipaddr.process(written).toString()
  const [address, bits] = ipaddr.parseCIDR(written)
  const network = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return `${network.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`
}

function isSameAddress(written: string, block: string): boolean {
  if (!written.includes('/')) return true
  return ipaddr.parseCIDR(written)[0].toString() === ipaddr.parseCIDR(block)[0].toString()
}

/** The fields that a site does not store, by provider. */
export const ExcludedFields = z.partialRecord(Provider, z.array(ProfileItem))
export type ExcludedFields = z.infer<typeof ExcludedFields>

/**
 * Options for applications that were written for another social login service with the same interface. Each makes one
 * kind of response equal to the responses of that service.
 */
export const compatibilityOptions = [
  /** Errors of the Web API contain `code` and `message` only. */
  'short_errors',
  /** The token endpoint responds to invalid clients with 400 instead of 401. */
  'token_errors_400',
  /** Userinfo responds to invalid access tokens with 401 and `{"error":"unauthorized"}`. */
  'userinfo_unauthorized',
  /** One-time tokens are 40 lower-case hex digits. */
  'hex_one_time_tokens',
] as const
export type CompatibilityOption = (typeof compatibilityOptions)[number]

const title = Text.trim().min(1).max(100)

function removeFinalDot(host: string): string {
  return host.replace(/\.$/, '')
}

/** The settings of a site. */
export const siteSettings = {
  name: title,
  /** `production`: redirect URIs must be https. */
  kind: z.enum(['development', 'production']),
  /** The host of a redirect URI must be one of these domains or a subdomain of one; empty: any host. */
  domains: z.array(z.hostname().toLowerCase().overwrite(removeFinalDot)).max(100),
  requests_per_window: z.int().min(1).max(1_000_000_000),
  /** Addresses that may call the Web API; empty: all. */
  allowed_addresses: z.array(AllowedAddress).max(1_000),
  /** Whether the site may use the alternate base address (a paid option). */
  fixed_address_option: z.boolean(),
  /** Excluded fields. Values that are already stored are deleted. */
  profile_not_stored: ExcludedFields,
  /**
   * Order of the login buttons; providers that are not listed follow in the default order. A name can be here before the
   * site has configured the provider.
   */
  provider_order: z
    .array(LoginProvider)
    .max(builtInLoginProviders.length + limits.configured_providers)
    .refine((order) => new Set(order).size === order.length, 'is given more than once'),
  /** Display names on login buttons that replace the default ones, by provider and language. */
  provider_names: z.partialRecord(LoginProvider, z.record(LanguageTag, Text.trim().min(1).max(40))),
  compatibility: z
    .array(z.enum(compatibilityOptions))
    .max(compatibilityOptions.length)
    .refine((options) => new Set(options).size === options.length, 'is given more than once'),
  /** Days that logins remain in the history; null: as long as the user exists. */
  login_history_days: z.int().min(1).max(3_650).nullable(),
  /** Where end users begin a login; error pages lead there. Null: they lead to the origin of the first redirect URI. */
  start_url: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .nullable(),
  /** Whether `profile.updated` contains the values of the profile. */
  profile_in_events: z.boolean(),
  /** Whether `users` of the Web API may lack changes of the last seconds, so that a replica of the database can serve it. */
  users_may_be_stale: z.boolean(),
} as const

/** Site settings that its clients' redirect URIs must satisfy. */
export const CallbackRules = z.object({ kind: siteSettings.kind, domains: siteSettings.domains })
export type CallbackRules = z.infer<typeof CallbackRules>

/** A customer's account, which owns sites. Each change increments `revision`. */
export const Account = z.object({ account: Slug, name: title, created_at: Timestamp, revision: Count })
export type Account = z.infer<typeof Account>
