import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { Provider } from '../providers.ts'
import { Count, Slug, Timestamp } from '../scalars.ts'
import { profileFields } from './profile.ts'

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

// A literal has the keys that its type names.
const fields = Object.keys(profileFields) as (keyof typeof profileFields)[]
/** What a provider supplies and a site can leave unstored: a field of its profile, or all of its follow data, e-mails or phones. */
export const profileItems = [...fields, 'follow', 'email', 'phone'] as const
export const ProfileItem = z.enum(profileItems)
export type ProfileItem = z.infer<typeof ProfileItem>

/** What is not stored of each provider; a provider without an entry is stored whole. */
export const ProfileNotStored = z.partialRecord(Provider, z.array(ProfileItem))
export type ProfileNotStored = z.infer<typeof ProfileNotStored>

const title = z.string().trim().min(1).max(100)
const web_address = z.url({ protocol: /^https?$/ }).max(2_048)

/** What a site can be told, with the values of one that was told nothing. */
export const siteSettings = {
  name: title,
  kind: z.enum(['development', 'production']),
  service_url: web_address.nullable(),
  /** Host names the service is reached by. */
  domains: z.array(z.hostname().toLowerCase()).max(100),
  requests_per_window: z.int().min(1).max(1_000_000_000),
  /** Who may call the Web API; empty: everybody. */
  allowed_addresses: z.array(AllowedAddress).max(1_000),
  /** The option contract of the alternate base address. */
  fixed_address_option: z.boolean(),
  /** Unticked: not kept, and what was kept is deleted. */
  profile_not_stored: ProfileNotStored,
  /** For how many days logins are kept in the history; null: as long as their user. */
  login_history_days: z.int().min(1).max(3_650).nullable(),
} as const

/** A customer of the deployment, who has sites. `revision` counts its changes. */
export const Account = z.object({ account: Slug, name: title, created_at: Timestamp, revision: Count })
export type Account = z.infer<typeof Account>
