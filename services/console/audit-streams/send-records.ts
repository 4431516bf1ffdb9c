import { gzipSync } from 'node:zlib'
import type { AuditStreamFailure } from '#admin-api'
import {
  classifyRequestError,
  createRequestSender,
  findErrorCode,
  isAccepted,
  isPublicAddress,
  NotConfirmed,
  type RequestFailure,
  type RequestOutcome,
  sendOverTls,
} from '#http-client'
import { toTimestamp } from '#runtime'
import { createWebhookSender, createWebhookSigner } from '#webhooks'
import { findRejectedRecords, toOtlpLogs } from '../domain/otlp-logs.ts'
import { frameSyslogMessages, toSyslogMessage } from '../domain/syslog-message.ts'
import type { StreamToSend } from '../store/audit-stream-leases.ts'
import type { RecordToSend } from './records.ts'

/** From connecting until a syslog receiver has closed the connection. Our choice. */
const syslogTimeoutMs = 15_000
/** How much of a response is stored. Our choice. */
const detailLength = 300

/** Where a stream sends, with its decrypted secrets. */
export type OpenStream = Pick<StreamToSend, 'account' | 'kind' | 'destination'> & {
  readonly secrets: readonly string[]
}

/** How many records were received, the first ones of those that were given, and why not all. */
export interface SendResult {
  readonly received: number
  readonly failure: AuditStreamFailure | null
  readonly retryAfterSeconds: number
}

/** Sends records in their order until disposed, which ends running requests. It never throws. */
export interface RecordSender extends AsyncDisposable {
  /** @param mayContinue asked before each request; false: the rest is not sent, without a failure */
  readonly send: (
    stream: OpenStream,
    records: readonly RecordToSend[],
    mayContinue: () => boolean,
  ) => Promise<SendResult>
}

interface SenderOptions {
  /** Whether streams of accounts may be sent to a private address. Streams of the installation may be sent to all of them. */
  readonly isPrivateAllowed: (address: string) => boolean
  /** Name of this host in syslog messages. */
  readonly hostName: string
}

export function createRecordSender({ isPrivateAllowed, hostName }: SenderOptions): RecordSender {
  const isPrivate = (address: string) => !isPublicAddress(address)
  const createClients = (allows: (address: string) => boolean) => ({
    webhooks: createWebhookSender(allows),
    requests: createRequestSender(allows),
    isAllowed: (address: string) => isPublicAddress(address) || allows(address),
  })
  const clients = { account: createClients(isPrivateAllowed), installation: createClients(isPrivate) }
  const clientsOf = ({ account }: OpenStream) => (account === null ? clients.installation : clients.account)
  const stopping = new AbortController()

  const sendWebhooks: RecordSender['send'] = async (stream, records, mayContinue) => {
    const sign = createWebhookSigner(stream.secrets)
    let received = 0
    for (const { record, recordedAt } of records) {
      if (!mayContinue()) break
      const type = record.part === 'test' ? 'audit.test' : 'audit.entry'
      const message = {
        id: record.record_id,
        body: JSON.stringify({ type, timestamp: recordedAt.toISOString(), data: record }),
      }
      const outcome = await clientsOf(stream).webhooks.send(stream.destination.url ?? '', message, sign)
      if (!outcome.isDelivered) {
        const { attempt, code, retryAfterSeconds } = outcome
        return { received, failure: describeFailure({ ...attempt, code }, stream), retryAfterSeconds }
      }
      received++
    }
    return { received, failure: null, retryAfterSeconds: 0 }
  }

  const sendLogs: RecordSender['send'] = async (stream, records) => {
    const [headers = '{}'] = stream.secrets
    const sent = {
      headers: {
        // Parsed from what this service encrypted.
        ...(JSON.parse(headers) as Record<string, string>),
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'user-agent': 'social-login',
      },
      body: gzipSync(JSON.stringify(toOtlpLogs(records, new Date()))),
    }
    const { url } = stream.destination
    const outcome = await clientsOf(stream).requests.send(url ?? '', sent, { readsSuccess: true })
    const { retryAfterSeconds } = outcome
    if (!isAccepted(outcome)) return { received: 0, failure: describeFailure(outcome, stream), retryAfterSeconds }
    const rejection = findRejectedRecords(outcome.response ?? '')
    if (rejection === undefined) return { received: records.length, failure: null, retryAfterSeconds }
    // Which ones were rejected is unknown, so all are sent again.
    return {
      received: 0,
      failure: createFailure('records_rejected', { status: outcome.status, detail: hideSecrets(rejection, stream) }),
      retryAfterSeconds,
    }
  }

  const sendSyslog: RecordSender['send'] = async (stream, records) => {
    const { host, port, ca_certificate, certificate } = stream.destination
    const target = {
      host: host ?? '',
      port: port ?? 0,
      ca: ca_certificate,
      certificate,
      privateKey: stream.secrets[0] ?? null,
    }
    const messages = records.map((record) => toSyslogMessage({ ...record, hostName }))
    const { isAllowed } = clientsOf(stream)
    const options = { isAllowed, timeoutMs: syslogTimeoutMs, signal: stopping.signal }
    try {
      await sendOverTls(target, frameSyslogMessages(messages), options)
      return { received: records.length, failure: null, retryAfterSeconds: 0 }
    } catch (error) {
      const failure =
        error instanceof NotConfirmed
          ? createFailure('not_confirmed', { status: null, detail: null })
          : describeFailure(
              { status: null, error: classifyRequestError(error), code: findErrorCode(error), response: null },
              stream,
            )
      return { received: 0, failure, retryAfterSeconds: 0 }
    }
  }

  const senders = { webhook: sendWebhooks, otlp: sendLogs, syslog: sendSyslog }
  return {
    send: (stream, records, mayContinue) => senders[stream.kind](stream, records, mayContinue),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      for (const { webhooks, requests } of Object.values(clients)) {
        await webhooks[Symbol.asyncDispose]()
        await requests[Symbol.asyncDispose]()
      }
    },
  }
}

/** The certificate of a server is not trusted, has another name, or has expired. An alert is about ours. */
const certificateCodes = /^(?!.*ALERT).*(CERT|SIGNATURE|ALTNAME)/

type FailedRequest = Pick<RequestOutcome, 'status' | 'code' | 'response'> & { readonly error: RequestFailure | null }

function describeFailure({ status, error, code, response }: FailedRequest, stream: OpenStream): AuditStreamFailure {
  if (error === null) return createFailure('status', { status, detail: response && hideSecrets(response, stream) })
  const isCertificate = error === 'tls' && code !== null && certificateCodes.test(code)
  return createFailure(isCertificate ? 'certificate' : error, { status, detail: code })
}

/** The result of a stream whose secret cannot be decrypted. */
export function unreadable(): SendResult {
  const failure = createFailure('secret_unreadable', { status: null, detail: null })
  return { received: 0, failure, retryAfterSeconds: 0 }
}

function createFailure(
  error: AuditStreamFailure['error'],
  { status, detail }: Pick<AuditStreamFailure, 'status' | 'detail'>,
): AuditStreamFailure {
  return { at: toTimestamp(new Date()), error, status, detail }
}

/** What a receiver responds can repeat the headers of the request. */
function hideSecrets(text: string, { kind, secrets }: OpenStream): string {
  const values = kind === 'otlp' ? secrets.flatMap((headers) => Object.values<string>(JSON.parse(headers))) : secrets
  // A header can be a scheme and a secret.
  const words = values.flatMap((value) => [value, ...value.split(' ')]).filter((word) => word.length >= 8)
  return words.reduce((shown, word) => shown.replaceAll(word, '•••'), text).slice(0, detailLength)
}
