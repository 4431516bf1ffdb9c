import type { AuditRecord } from '#admin-api'

/** Facility 13: log audit (RFC 5424, table 1). */
const facility = 13
/** Severities (RFC 5424, table 2). */
const severities = { succeeded: 6, rejected: 4, unknown: 4 } as const
/** The number that IANA reserves for examples (RFC 5612); receivers find the element by its whole name. */
const elementId = 'audit@32473'
const parameters = [
  'record_id',
  'part',
  'sequence',
  'entry',
  'action',
  'account',
  'site_id',
  'actor',
  'actor_kind',
  'member_id',
  'token_id',
  'address',
  'request_id',
  'outcome',
  'fault',
] as const

interface SyslogMessage {
  readonly record: AuditRecord
  readonly recordedAt: Date
  /** Host name of the sender. */
  readonly hostName: string
}

/** Formats a record as a syslog message (RFC 5424): its fields as structured data, and all of it as JSON. */
export function toSyslogMessage({ record, recordedAt, hostName }: SyslogMessage): string {
  const priority = facility * 8 + severities[record.outcome]
  const header = `<${priority}>1 ${recordedAt.toISOString()} ${toName(hostName, 255)} social-login - ${toName(record.action, 32)}`
  const fields = parameters.flatMap((name) => {
    const value = record[name]
    return value === null ? [] : [` ${name}="${escapeValue(String(value))}"`]
  })
  return `${header} [${elementId}${fields.join('')}] ${toAsciiJson(record)}`
}

/** Frames messages by counting their octets (RFC 5425, section 4.3). */
export function frameSyslogMessages(messages: readonly string[]): Buffer {
  return Buffer.from(messages.map((message) => `${Buffer.byteLength(message)} ${message}`).join(''))
}

/** Visible ASCII, as the fields of the header require. */
function toName(text: string, length: number): string {
  return text.replace(/[^\x21-\x7e]/g, '').slice(0, length) || '-'
}

/** RFC 5424, section 6.3.3. */
function escapeValue(text: string): string {
  return text.replace(/["\\\]]/g, '\\$&')
}

/** JSON in ASCII needs no byte order mark, which would have to precede UTF-8 (RFC 5424, section 6.4) and breaks parsers of JSON. */
function toAsciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
