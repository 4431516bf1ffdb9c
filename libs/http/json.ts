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
    throw new MalformedParameters('no JSON, too long or broken off', { cause })
  }
}
