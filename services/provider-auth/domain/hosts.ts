import type { HostProblem, HostPurpose } from '#contracts'

/** The site that a host belongs to. */
export interface HostOwner {
  readonly site: number
  readonly account: string
  readonly site_id: string
}

/** A site's own host that was called. */
export interface SiteLocation extends HostOwner {
  readonly host: string
  /** The issuer on this host, without a trailing slash. */
  readonly auth_url: string
}

/** Where a request belongs, by its `Host` field. */
export type Location =
  /** The installation's own host, and every name that is no host of a site. */
  | { readonly kind: 'shared' }
  | { readonly kind: 'site'; readonly location: SiteLocation }
  /** A host that no site has, although its requests come here. */
  | { readonly kind: 'unused' }

/** Names of hosts, and where their requests belong. */
export interface Hosts {
  /** Canonicalizes the `Host` field: lower case, without a port. A final dot stays. */
  readonly locate: (hostField: string) => Promise<Location>
  /** The issuers of a site that are served: of its own hosts, of the installation's, and of the pattern's. */
  readonly issuersOf: (site: HostOwner) => readonly [string, ...string[]]
  /** The host that the pattern gives a site; undefined without a pattern. */
  readonly patternHostOf: (site: HostOwner) => string | undefined
  readonly toIssuer: (host: string) => string
  /** Whether a host belongs to a site, for logins or for the Web API, so that it may have a certificate. */
  readonly mayHaveCertificate: (host: string) => Promise<boolean>
  /** Whether hosts are served with TLS. */
  readonly isSecure: boolean
  /** The host that a site's host has to point to. */
  readonly targetOf: (purpose: HostPurpose) => string
  /** Whether no site can claim a host, because it is related to the installation's own ones. */
  readonly isReserved: (host: string) => boolean
  /** Whether ID Tokens with this issuer were issued by us. */
  readonly isIssuer: (issuer: string) => boolean
  /** Reads changes now, so that an answered change is in effect here; other replicas learn of it by a notice. */
  readonly refresh: () => Promise<void>
}

/** Looks for the proof of a host; the problems of both ways if there is none. */
export type FindProof = (host: { readonly host: string; readonly token: string }) => Promise<readonly HostProblem[]>
