import type { IncomingMessage } from 'node:http'
import { Fault } from '#contracts'
import type { Parameters } from '#http'
import { hashSecret } from '#runtime'

/** Identifies an idempotent request: the hashes of its key, and of operation and parameters. */
export interface RequestFingerprint {
  readonly idempotency_key: string
  readonly request: string
}

/**
 * Reads `Idempotency-Key`; undefined without one. Requests are the same if operation and parameters are, regardless of
 * method, order of parameters and API key.
 *
 * @throws Fault `invalid_parameter`: the field is not 1 to 255 printable ASCII characters, or is repeated
 */
export function readIdempotencyKey(
  { headersDistinct }: IncomingMessage,
  operation: string,
  { values }: Parameters,
): RequestFingerprint | undefined {
  const fields = headersDistinct['idempotency-key']
  if (fields === undefined) return undefined
  const [field = '', ...more] = fields
  if (more.length > 0 || !/^[\x20-\x7e]{1,255}$/.test(field)) {
    const detail = { reason: 'idempotency_key_malformed', parameter: 'Idempotency-Key' } as const
    throw new Fault('invalid_parameter', { detail })
  }
  const parameters = [...values].filter(([name]) => name !== 'key').sort(([a], [b]) => (a < b ? -1 : 1))
  return { idempotency_key: hashSecret(field), request: hashSecret(JSON.stringify([operation, parameters])) }
}
