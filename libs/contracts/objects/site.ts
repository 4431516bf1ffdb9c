import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { languages, loginProviders } from '../login-providers/index.ts'
import { LoginProvider, Provider } from '../providers.ts'
import { Count, Slug, Text, Timestamp } from '../scalars.ts'
import { ProfileItem } from './profile-items.ts'

/**
 * An address or CIDR block that may call the Web API, e.g. `192.0.2.7` or `2001:db8::/32`; written in its shortest form. A
 * block's address has no bits beyond its prefix, so that nobody allows more than was meant.
 */
export const AllowedAddress = z
  .string()
  .superRefine((written, context) => {
    if (!readable.safeParse(written).success)
      return context.addIssue({ code: 'custom', message: 'is neither an IP address nor a CIDR block' })
    const block = blockOf(written)
    if (block !== written && !isSameAddress(written, block))
      context.addIssue({
        code: 'custom',
        message: `is no block, as it has bits beyond its prefix; the block is ${block}`,
      })
  })
  .overwrite((written) => (readable.safeParse(written).success ? blockOf(written) : written))

const readable = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** The block or address in its shortest form; IPv4 in IPv6 is IPv4. */
function blockOf(written: string): string {
  if (!written.includes('/')) return ipaddr.process(written).toString()
  const [address, bits] = ipaddr.parseCIDR(written)
  const network = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return `${network.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`
}

function isSameAddress(written: string, block: string): boolean {
  if (!written.includes('/')) return true
  return ipaddr.parseCIDR(written)[0].toString() === ipaddr.parseCIDR(block)[0].toString()
}

/** What is not stored of each provider; a provider without an entry is stored whole. */
export const ExcludedFields = z.partialRecord(Provider, z.array(ProfileItem))
export type ExcludedFields = z.infer<typeof ExcludedFields>

const title = Text.trim().min(1).max(100)

function withoutFinalDot(host: string): string {
  return host.replace(/\.$/, '')
}

/** What a site can be told, with the values of one that was told nothing. */
export const siteSettings = {
  name: title,
  /** `production`: callback addresses must be https. */
  kind: z.enum(['development', 'production']),
  /** The host of a callback address must be one of these domains or a subdomain of one; empty: any host. */
  domains: z.array(z.hostname().toLowerCase().overwrite(withoutFinalDot)).max(100),
  requests_per_window: z.int().min(1).max(1_000_000_000),
  /** Who may call the Web API; empty: everybody. */
  allowed_addresses: z.array(AllowedAddress).max(1_000),
  /** The option contract of the alternate base address. */
  fixed_address_option: z.boolean(),
  /** Unticked: not kept, and what was kept is deleted. */
  profile_not_stored: ExcludedFields,
  /** Order of the login buttons; providers that are not listed follow in the default order. */
  provider_order: z
    .array(LoginProvider)
    .max(loginProviders.length)
    .refine((order) => new Set(order).size === order.length, 'is given more than once'),
  /** Display names on login buttons that replace the default ones, by provider and language. */
  provider_names: z.partialRecord(LoginProvider, z.partialRecord(z.enum(languages), Text.trim().min(1).max(40))),
  /** For how many days logins are kept in the history; null: as long as their user. */
  login_history_days: z.int().min(1).max(3_650).nullable(),
} as const

/** Settings of a site that its clients' callback addresses must satisfy. */
export const CallbackRules = z.object({ kind: siteSettings.kind, domains: siteSettings.domains })
export type CallbackRules = z.infer<typeof CallbackRules>

/** A customer of the deployment, who has sites. `revision` counts its changes. */
export const Account = z.object({ account: Slug, name: title, created_at: Timestamp, revision: Count })
export type Account = z.infer<typeof Account>
