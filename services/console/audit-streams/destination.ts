import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { z } from 'zod'
import { type AdminApi, type AdminReason, type AuditStreamKind, createReason } from '#admin-api'
import { createAddressRules, isPublicAddress } from '#http-client'
import { AdminFault } from '../admin-fault.ts'
import { toProblem } from '../input-problems.ts'
import type { StreamDestination, StreamScope } from '../store/audit-streams.ts'

type SentFields = Pick<z.output<AdminApi['createAuditStream']['input']>, DestinationField>
type DestinationField = 'url' | 'headers' | 'host' | 'port' | 'ca_certificate' | 'certificate' | 'private_key'

const fieldsOf: Readonly<Record<AuditStreamKind, readonly DestinationField[]>> = {
  webhook: ['url'],
  otlp: ['url', 'headers'],
  syslog: ['host', 'port', 'ca_certificate', 'certificate', 'private_key'],
}
/** RFC 5425, section 4.1. */
const syslogPort = 6_514

/** Whether streams of a scope may be sent to an address, as far as it shows. Names are resolved, and checked, at each connection. */
export interface DestinationRules {
  readonly isUrlAllowed: (scope: StreamScope, url: string) => boolean
  readonly isHostAllowed: (scope: StreamScope, host: string) => boolean
}

/**
 * @param allowsPrivate which private addresses streams of accounts may have; undefined: none. Those of the installation may have all,
 *   because operators are inside the network.
 */
export function createDestinationRules(allowsPrivate: ((address: string) => boolean) | undefined): DestinationRules {
  const ofAccounts = createAddressRules(allowsPrivate)
  const ofInstallation = createAddressRules((address) => !isPublicAddress(address))
  const rulesOf = ({ account }: StreamScope) => (account === null ? ofInstallation : ofAccounts)
  return {
    isUrlAllowed: (scope, url) => rulesOf(scope).isUrlAllowed(url),
    isHostAllowed: (scope, host) => isIP(host) === 0 || isPublicAddress(host) || rulesOf(scope).isPrivateAllowed(host),
  }
}

/** Where a stream sends. */
export interface ResolvedDestination {
  readonly destination: StreamDestination
  /** Headers as JSON, or the private key: to be stored. Null: none. Undefined: what is stored stays. */
  readonly secret: string | null | undefined
}

const nowhere: StreamDestination = {
  url: null,
  header_names: [],
  host: null,
  port: null,
  ca_certificate: null,
  certificate: null,
}

/**
 * Checks the sent fields, and combines them with the stored ones.
 *
 * @throws AdminFault `invalid_request`
 */
export function resolveDestination(
  { account, kind, stored }: StreamScope & { readonly kind: AuditStreamKind; readonly stored?: StreamDestination },
  sent: SentFields,
  rules: DestinationRules,
): ResolvedDestination {
  const all = Object.values(fieldsOf).flat()
  for (const field of all)
    if (sent[field] !== undefined && !fieldsOf[kind].includes(field))
      throw rejectField(field, createReason('field_of_another_kind', { kind }))
  const before = stored ?? nowhere
  if (kind === 'syslog') return resolveSyslog({ account, before }, sent, rules)
  const url = sent.url ?? before.url ?? reject('url', createReason('missing'))
  if (!rules.isUrlAllowed({ account }, url)) throw rejectField('url', createReason('public_https'))
  const hasMoved = before.url !== null && new URL(before.url).origin !== new URL(url).origin
  // Otherwise a stored secret could be sent to any server.
  if (hasMoved && before.header_names.length > 0 && sent.headers === undefined)
    throw rejectField('headers', createReason('headers_of_new_url'))
  return {
    destination: {
      ...before,
      url,
      header_names: sent.headers === undefined ? before.header_names : Object.keys(sent.headers),
    },
    secret: sent.headers && JSON.stringify(sent.headers),
  }
}

function resolveSyslog(
  { account, before }: StreamScope & { readonly before: StreamDestination },
  { host: sentHost, port, ca_certificate, certificate, private_key }: SentFields,
  rules: DestinationRules,
): ResolvedDestination {
  const host = sentHost ?? before.host ?? reject('host', createReason('missing'))
  if (!rules.isHostAllowed({ account }, host)) throw rejectField('host', createReason('public_host'))
  if (ca_certificate) requireCertificate('ca_certificate', ca_certificate)
  const secret = certificate === null ? null : private_key
  if (certificate) requireKeyOfCertificate(requireCertificate('certificate', certificate), private_key)
  else if (private_key) throw rejectField('private_key', createReason('key_of_certificate'))
  return {
    destination: {
      ...before,
      host,
      port: port ?? before.port ?? syslogPort,
      ca_certificate: ca_certificate === undefined ? before.ca_certificate : ca_certificate,
      certificate: certificate === undefined ? before.certificate : certificate,
    },
    secret,
  }
}

/** @throws AdminFault `invalid_request` */
function requireCertificate(field: DestinationField, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw rejectField(field, createReason('invalid_certificate'))
  }
}

/** @throws AdminFault `invalid_request` */
function requireKeyOfCertificate(certificate: X509Certificate, pem: string | null | undefined): void {
  try {
    if (certificate.checkPrivateKey(createPrivateKey(pem ?? ''))) return
  } catch {
    // It is no key, or has a passphrase.
  }
  throw rejectField('private_key', createReason('key_of_certificate'))
}

function reject(field: DestinationField, reason: AdminReason): never {
  throw rejectField(field, reason)
}

/** An error of one field. */
export function rejectField(field: string, reason: AdminReason): AdminFault {
  return new AdminFault('invalid_request', { fields: [{ field, ...toProblem(reason) }] })
}
