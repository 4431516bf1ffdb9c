import type { AuditRecord } from '#admin-api'

/** Severity numbers (OpenTelemetry, "Logs Data Model"). */
const severities = {
  succeeded: { severityNumber: 9, severityText: 'INFO' },
  rejected: { severityNumber: 13, severityText: 'WARN' },
  unknown: { severityNumber: 13, severityText: 'WARN' },
} as const

/** Attributes of a record; names with a semantic convention of OpenTelemetry have that name. */
const attributes = {
  'log.record.uid': 'record_id',
  'user.name': 'actor',
  'client.address': 'address',
  'audit.part': 'part',
  'audit.sequence': 'sequence',
  'audit.entry': 'entry',
  'audit.action': 'action',
  'audit.account': 'account',
  'audit.site_id': 'site_id',
  'audit.actor_kind': 'actor_kind',
  'audit.member_id': 'member_id',
  'audit.token_id': 'token_id',
  'audit.request_id': 'request_id',
  'audit.outcome': 'outcome',
  'audit.fault': 'fault',
} as const satisfies Record<string, keyof AuditRecord>

interface TimedRecord {
  readonly record: AuditRecord
  readonly recordedAt: Date
}

/** Formats records as an `ExportLogsServiceRequest` in the JSON encoding of OTLP (OTLP 1.x, "JSON Protobuf Encoding"). */
export function toOtlpLogs(records: readonly TimedRecord[], observedAt: Date): object {
  const logRecords = records.map(({ record, recordedAt }) => ({
    timeUnixNano: toNanoseconds(recordedAt),
    observedTimeUnixNano: toNanoseconds(observedAt),
    ...severities[record.outcome],
    eventName: 'audit.entry',
    body: { stringValue: JSON.stringify(record) },
    attributes: Object.entries(attributes).flatMap(([key, field]) => {
      const value = record[field]
      return value === null ? [] : [{ key, value: toValue(value) }]
    }),
  }))
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'social-login' } }] }
  return { resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'audit' }, logRecords }] }] }
}

/** 64-bit integers are strings (Protocol Buffers, "ProtoJSON Format"). */
function toNanoseconds(time: Date): string {
  return `${time.getTime()}000000`
}

function toValue(value: string | number) {
  return typeof value === 'number' ? { intValue: String(value) } : { stringValue: value }
}

/**
 * Reads why a receiver rejected records of an accepted request.
 *
 * @param response JSON, or anything else of a receiver that does not follow OTLP
 * @returns undefined if it accepted all of them
 */
export function findRejectedRecords(response: string): string | undefined {
  const partialSuccess: unknown = Reflect.get(Object(parseJson(response)), 'partialSuccess')
  const count = Number(Reflect.get(Object(partialSuccess), 'rejectedLogRecords') ?? 0)
  if (!(count > 0)) return undefined
  const message: unknown = Reflect.get(Object(partialSuccess), 'errorMessage')
  return typeof message === 'string' && message !== '' ? message : `${count} records`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
