import type { IncomingMessage } from 'node:http'
import rawBody from 'raw-body'
import { limits, parseLosslessJson, UnstorableJson } from '#contracts'

/** The body is not JSON, not declared as JSON, too long, or incomplete. The message, for the caller, says which. */
export class MalformedJson extends Error {
  override readonly name = 'MalformedJson'
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
  }
}

export interface ReadJsonOptions {
  readonly limitBytes?: number
  readonly lossless?: boolean
  readonly mediaTypes?: readonly string[]
}

/**
 * Reads a request's JSON body (RFC 8259); a request without a body has an empty object. The media type must be
 * `application/json`, which pages of other origins cannot send without a CORS preflight, or one of `mediaTypes`.
 *
 * @param limitBytes the default is the limit of forms
 * @param lossless rejects numbers that would be rounded
 * @throws MalformedJson
 */
export async function readJson(
  request: IncomingMessage,
  { limitBytes = limits.parameters_bytes, lossless = false, mediaTypes = ['application/json'] }: ReadJsonOptions = {},
): Promise<unknown> {
  const { headers } = request
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') return {}
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  if (!mediaTypes.includes(type.trim().toLowerCase())) {
    throw new MalformedJson(`Send the body as JSON, with Content-Type: ${mediaTypes.join(' or ')}.`)
  }
  let body: Buffer
  try {
    body = await rawBody(request, { limit: limitBytes })
  } catch (cause) {
    throw new MalformedJson(`The body is longer than ${limitBytes} bytes, or broke off.`, { cause })
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    return lossless ? parseLosslessJson(text) : JSON.parse(text)
  } catch (cause) {
    if (cause instanceof UnstorableJson) throw new MalformedJson(cause.message, { cause })
    throw new MalformedJson('The body is no JSON in UTF-8.', { cause })
  }
}

/** Parses a JSON text; returns undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
