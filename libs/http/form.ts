import type { IncomingMessage } from 'node:http'
import rawBody from 'raw-body'
import { limits } from '#contracts'
import { MalformedParameters, type Parameters, readParameters } from './parameters.ts'

/**
 * Reads a request's form body.
 *
 * @throws MalformedParameters if it is not a form, is too long, or cannot be parsed
 */
export async function readForm(request: IncomingMessage): Promise<Parameters> {
  return readParameters(await readFormText(request))
}

/**
 * Reads a request's form body as text; a request without a body has an empty form.
 *
 * @throws MalformedParameters if it is not a form, is too long, or is incomplete
 */
export async function readFormText(request: IncomingMessage): Promise<string> {
  if (!hasBody(request)) return ''
  const [type = ''] = (request.headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    throw new MalformedParameters('not_a_form', 'not a form')
  try {
    return await rawBody(request, { limit: limits.parameters_bytes, encoding: 'latin1' })
  } catch (cause) {
    const isTooLong = cause instanceof Error && Reflect.get(cause, 'type') === 'entity.too.large'
    throw isTooLong
      ? new MalformedParameters('too_long', 'body too long', { cause })
      : new MalformedParameters('incomplete', 'body incomplete', { cause })
  }
}

/** RFC 9112 6.3: a request has a body when it has one of these fields. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}
