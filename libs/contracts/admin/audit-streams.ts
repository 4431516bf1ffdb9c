import { z } from 'zod'
import { limits } from '../limits.ts'
import { requestErrors, webhookSettings } from '../objects/webhook.ts'
import { Count, Slug, Text, Timestamp } from '../scalars.ts'
import { AuditEntry } from './audit.ts'
import { adminProcedures } from './procedure.ts'

/** How the audit trail is sent: Standard Webhooks, OTLP logs over HTTP with JSON, or syslog (RFC 5424) over TLS. */
export const auditStreamKinds = ['webhook', 'otlp', 'syslog'] as const
export type AuditStreamKind = (typeof auditStreamKinds)[number]

/**
 * Why an attempt failed. `status`: a response that is not 2xx. `records_rejected`: an OTLP receiver accepted the request, but not
 * every record. `not_confirmed`: a syslog receiver did not close the connection after the last record. `secret_unreadable`: the
 * stored secret cannot be decrypted.
 */
export const auditStreamErrors = [
  ...requestErrors,
  'certificate',
  'status',
  'records_rejected',
  'not_confirmed',
  'secret_unreadable',
] as const

/** A failed attempt. */
export const AuditStreamFailure = z.object({
  at: Timestamp,
  error: z.enum(auditStreamErrors),
  /** Of the response; null if there was none. */
  status: z.int().nullable(),
  /** The beginning of the response, or the code of the error, such as `ECONNREFUSED`. */
  detail: z.string().nullable(),
})
export type AuditStreamFailure = z.infer<typeof AuditStreamFailure>

/**
 * An entry of the audit trail as it is sent. Usually there is one record for each entry. If the outcome of a change is not known
 * after a minute, there are two: `entry`, with the outcome `unknown`, and `outcome` as soon as it is known. `test`: no entry.
 */
export const AuditRecord = AuditEntry.extend({
  /** The same whenever the record is sent again. */
  record_id: z.uuid(),
  part: z.enum(['entry', 'outcome', 'test']),
  /** Position in the stream, from 1 without gaps. 0 for a test. */
  sequence: Count,
})
export type AuditRecord = z.infer<typeof AuditRecord>

const Pem = Text.max(20_000).regex(/^\s*-----BEGIN [A-Z0-9 ]+-----[\s\S]+-----END [A-Z0-9 ]+-----\s*$/, 'must be PEM')
const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, 'must have header names of letters, digits and hyphens as its keys')
const HeaderValue = z.string().regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/, 'must be printable ASCII')
const name = Text.trim().min(1).max(60)

/** Where records are sent. Which fields a stream has depends on its kind. */
const destination = {
  /** Of `webhook` and `otlp`. */
  url: webhookSettings.url,
  /** Of `otlp`. */
  headers: z.record(HeaderName, HeaderValue),
  /** Of `syslog`: a host name or an address. */
  host: Text.regex(/^[A-Za-z0-9.:_-]{1,253}$/, 'must be a host name or an IP address'),
  /** Of `syslog`. */
  port: z.int().min(1).max(65_535),
  /** Of `syslog`: replaces the generally trusted authorities. */
  ca_certificate: Pem.nullable(),
  /** Of `syslog`: both, or none. */
  certificate: Pem.nullable(),
  private_key: Pem.nullable(),
} as const
const changeable = z.object({ name, ...destination, enabled: z.boolean() }).partial()

/** A stream, without its secrets. */
export const AuditStream = z.object({
  stream_id: z.uuid(),
  name,
  kind: z.enum(auditStreamKinds),
  url: z.string().nullable(),
  /** The names of the stored headers. */
  header_names: z.array(z.string()),
  host: z.string().nullable(),
  port: z.int().nullable(),
  ca_certificate: z.string().nullable(),
  certificate: z.string().nullable(),
  enabled: z.boolean(),
  /** Records that were sent. */
  sent: Count,
  /** Records that were not sent yet, and the age of the oldest one. */
  backlog: Count,
  oldest_age_seconds: Count,
  last_success_at: Timestamp.nullable(),
  /** Since when every attempt has failed, why the last one did, and when the next one is made. */
  failing_since: Timestamp.nullable(),
  last_error: AuditStreamFailure.nullable(),
  next_attempt_at: Timestamp.nullable(),
  /** Of `webhook`: when each valid secret was created, and when it ends, newest first. */
  secrets: z.array(z.object({ created_at: Timestamp, expires_at: Timestamp.nullable() })),
  created_at: Timestamp,
  revision: Count,
})
export type AuditStream = z.infer<typeof AuditStream>

/** The secret of a webhook, only in this response; null for other kinds. */
const Issued = z.object({ stream: AuditStream, secret: z.string().nullable() })
const rejected = 'The fields do not match the kind, or the address is not allowed.'
const nameTaken = 'There is a stream of this name.'

/** The procedures of the streams of an account, or of the whole installation. */
function describeStreams<const R extends 'owner' | 'operator', const S extends z.ZodRawShape>(
  role: R,
  path: string,
  { scope, of, unique }: { readonly scope: S; readonly of: string; readonly unique: string },
) {
  const Whole = z.object(scope)
  const One = Whole.extend({ stream_id: z.uuid() })
  const one = `${path}/{stream_id}`
  const help = {
    name: `name of the stream, unique ${unique}`,
    url: 'webhook and otlp: https URL that receives the records; of otlp with its path, usually /v1/logs',
    host: 'syslog: host name or address of the receiver',
    port: 'syslog: port',
    enabled: 'whether records are sent; those of a paused stream wait',
  }
  return {
    list: {
      method: 'GET',
      path,
      summary: `Streams that send the audit trail of ${of} to other systems`,
      role,
      input: Whole,
      output: z.object({ streams: z.array(AuditStream) }),
    },
    create: {
      method: 'POST',
      path,
      summary: `Create a stream of the audit trail of ${of}. The secret of a webhook is returned in this response only`,
      role,
      sensitive: true,
      help: {
        ...help,
        kind: 'webhook (Standard Webhooks), otlp (OTLP logs as JSON over HTTP) or syslog (RFC 5424 over TLS)',
        port: 'syslog: port; 6514 if omitted',
      },
      input: Whole.extend({
        name,
        kind: z.enum(auditStreamKinds),
        ...z.object(destination).partial().shape,
        enabled: z.boolean().default(true),
        /** Where the stream begins: with the records that follow, or with those of a time or an entry. */
        from_time: Timestamp.optional(),
        from_entry: z
          .string()
          .regex(/^\d{1,15}$/)
          .optional(),
      }),
      output: Issued,
      faults: {
        invalid_request: `${rejected} Or there are ${limits.audit_streams} streams.`,
        conflict: nameTaken,
      },
    },
    read: {
      method: 'GET',
      path: one,
      summary: `A stream of the audit trail of ${of}`,
      role,
      versioned: true,
      input: One,
      output: AuditStream,
    },
    change: {
      method: 'PATCH',
      path: one,
      summary: 'Change, pause or resume a stream. Omitted fields keep their values',
      role,
      sensitive: ['url', 'host', 'port'],
      versioned: true,
      help,
      input: One.extend(changeable.shape),
      output: AuditStream,
      faults: { invalid_request: rejected, conflict: nameTaken },
    },
    remove: {
      method: 'DELETE',
      path: one,
      summary: 'Remove a stream. The audit trail stays',
      role,
      sensitive: true,
      input: One,
      output: z.object({}),
    },
    rollSecret: {
      method: 'POST',
      path: `${one}/secrets`,
      summary: 'Replace the secret of a webhook. Requests are signed with both until the old one expires',
      role,
      sensitive: true,
      input: One.extend({
        overlap_hours: z.int().min(0).max(limits.webhook_secret_overlap_hours).default(24),
      }),
      output: Issued,
      faults: { invalid_request: 'The stream is not a webhook.' },
    },
    test: {
      method: 'POST',
      path: `${one}/tests`,
      summary: 'Send a test record now, and return why it failed, if it did',
      role,
      input: One,
      output: z.object({ duration_ms: Count, failure: AuditStreamFailure.nullable() }),
    },
  } as const
}

const ofAccount = describeStreams('owner', '/accounts/{account}/audit-streams', {
  scope: { account: Slug },
  of: 'an account',
  unique: 'within the account',
})
const ofInstallation = describeStreams('operator', '/audit-streams', {
  scope: {},
  of: 'the whole installation',
  unique: 'among those of the installation',
})

/** Streams of the audit trail to companies' own systems. */
export const auditStreamProcedures = adminProcedures({
  listAuditStreams: ofAccount.list,
  createAuditStream: { ...ofAccount.create, form: 'audit_stream' },
  readAuditStream: ofAccount.read,
  changeAuditStream: ofAccount.change,
  removeAuditStream: ofAccount.remove,
  rollAuditStreamSecret: ofAccount.rollSecret,
  testAuditStream: ofAccount.test,
  listInstallationAuditStreams: ofInstallation.list,
  createInstallationAuditStream: ofInstallation.create,
  readInstallationAuditStream: ofInstallation.read,
  changeInstallationAuditStream: ofInstallation.change,
  removeInstallationAuditStream: ofInstallation.remove,
  rollInstallationAuditStreamSecret: ofInstallation.rollSecret,
  testInstallationAuditStream: ofInstallation.test,
})
