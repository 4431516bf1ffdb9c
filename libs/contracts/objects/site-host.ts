import { z } from 'zod'
import { Count, Text, Timestamp } from '../scalars.ts'

/** What a host of a site serves: login pages and the OpenID Provider, or the Web API. */
export const HostPurpose = z.enum(['login', 'api'])
export type HostPurpose = z.infer<typeof HostPurpose>

/**
 * A host name as certificates and DNS have it: lower case, international names in Punycode, without a final dot and a
 * port. IP addresses and names of a single label cannot belong to a site.
 */
export const HostName = Text.max(1_000)
  .overwrite((text) => toHostName(text) ?? text)
  .refine((text) => isHostName(text), 'must be a host name such as login.example.com, without a port and a path')

/** A host name in its canonical form; undefined if the text is none. */
function toHostName(text: string): string | undefined {
  const name = text.trim().replace(/\.$/, '')
  if (/[/\\:@?#[\]%\s]/.test(name)) return undefined
  return URL.parse(`http://${name}`)?.hostname
}

/** RFC 1035 2.3.4, without the final dot. */
const maxLength = 253
/** RFC 1123 2.1: labels of letters, digits and hyphens; the last is no number (WHATWG URL, "ends in a number"). */
const hostPattern = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

function isHostName(text: string): boolean {
  const lastLabel = text.slice(text.lastIndexOf('.') + 1)
  return text.length <= maxLength && hostPattern.test(text) && !/^(?:\d+|0x[0-9a-f]*)$/.test(lastLabel)
}

/**
 * `claimed`: not proven yet; `active`: requests are served; `suspended`: the proof has been missing for too long, so requests are
 * rejected.
 */
export const HostState = z.enum(['claimed', 'active', 'suspended'])
export type HostState = z.infer<typeof HostState>

/** Why the last check found no proof. */
export const hostProblems = [
  /** The DNS has no TXT record of this name. */
  'txt_missing',
  /** The TXT records have other values. */
  'txt_different',
  /** The DNS did not respond. */
  'dns_unavailable',
  /** The host's address is not public, or it has none. */
  'address_missing',
  /** The file was requested without success. */
  'file_missing',
  /** The file has another content. */
  'file_different',
] as const
export const HostProblem = z.enum(hostProblems)
export type HostProblem = z.infer<typeof HostProblem>

/** Where the file with the proof is on a host. A host that points to the installation serves its own. */
export const hostProofPath = '/.well-known/social-login-host'

/** A host of a site, with what proves that the site's owner controls it. */
export const SiteHost = z.object({
  host: z.string(),
  purpose: HostPurpose,
  state: HostState,
  /** The proof in the DNS: a TXT record. */
  txt_name: z.string(),
  txt_value: z.string(),
  /** The proof over HTTP, while the host still points to the customer's own server: a file with the value as its content. */
  file_url: z.string(),
  /** The host of the installation that this one has to point to, by a CNAME record or the same address. */
  target: z.string(),
  /** What the last check lacked, of either proof; empty if it found one or none has run. */
  problems: z.array(HostProblem),
  checked_at: Timestamp.nullable(),
  /** Since when every check has failed, of a host that was proven. */
  failing_since: Timestamp.nullable(),
  created_at: Timestamp,
})
export type SiteHost = z.infer<typeof SiteHost>

/** When a client of a site last used a host. */
export const HostUse = z.object({
  /** Null: the installation's own host. */
  host: z.string().nullable(),
  client_id: z.string(),
  client_name: z.string(),
  /** A day, because it is recorded once a day. */
  last_used_on: z.iso.date(),
})
export type HostUse = z.infer<typeof HostUse>

/** The hosts of a site, and who uses which. */
export const SiteHosts = z.object({
  hosts: z.array(SiteHost),
  /** The host that the pattern of the installation gives the site; null without a pattern. */
  pattern_host: z.string().nullable(),
  /** Whether the site is also served on the installation's own host, with its issuer. */
  shared_host: z.boolean(),
  /** The issuers that are served: of the site's own hosts, the installation's, and that of the pattern's host. */
  issuers: z.array(z.string()),
  uses: z.array(HostUse),
  revision: Count,
})
export type SiteHosts = z.infer<typeof SiteHosts>
