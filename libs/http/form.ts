import type { IncomingMessage } from 'node:http'
import rawBody from 'raw-body'
import { limits } from '#contracts'
import { MalformedParameters, type Parameters, readParameters } from './parameters.ts'

/**
 * Reads a request's form body.
 *
 * @throws MalformedParameters when it is not a form, is too long, or cannot be read
 */
export async function readForm(request: IncomingMessage): Promise<Parameters> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') throw new MalformedParameters('not a form')
  let text: string
  try {
    text = await rawBody(request, { limit: limits.parameters_bytes, encoding: 'latin1' })
  } catch (cause) {
    throw new MalformedParameters('body too long or broken off', { cause })
  }
  return readParameters(text)
}
