import type { IncomingMessage } from 'node:http'
import rawBody from 'raw-body'
import { limits } from '#contracts'
import { MalformedParameters } from './parameters.ts'

/**
 * Reads a request's JSON body, of any media type, as long as a form may be.
 *
 * @throws MalformedParameters when it is too long, broke off, or is no JSON
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  try {
    return JSON.parse(await rawBody(request, { limit: limits.parameters_bytes, encoding: 'utf8' }))
  } catch (cause) {
    throw new MalformedParameters('bad_encoding', 'no JSON, too long or broken off', { cause })
  }
}

/** The body is no JSON, not said to be, too long, or broke off; the message says which, to people. */
export class MalformedJson extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'MalformedJson'
  }
}

/**
 * Reads a request's JSON body (RFC 8259); a request without a body has an empty object.
 *
 * @throws MalformedJson
 */
export async function readJsonBody(request: IncomingMessage, limit_bytes: number): Promise<unknown> {
  const { headers } = request
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') return {}
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/json') {
    throw new MalformedJson('Send the body as JSON, with Content-Type: application/json.')
  }
  let body: Buffer
  try {
    body = await rawBody(request, { limit: limit_bytes })
  } catch (cause) {
    throw new MalformedJson(`The body is longer than ${limit_bytes} bytes, or broke off.`, { cause })
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (cause) {
    throw new MalformedJson('The body is no JSON in UTF-8.', { cause })
  }
}
