import type { IncomingMessage } from 'node:http'
import { MalformedParameters, type Parameters, readFormText, readParameters } from '#http'

/** Returns the path of a request, without its query. */
export function getPath({ url = '' }: IncomingMessage): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}

/** Returns a request's query, without `?`. */
export function getQuery({ url = '' }: IncomingMessage): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

/** Reads the form of a POST as text, or returns why it cannot be read. */
export async function readPostForm(request: IncomingMessage): Promise<string | MalformedParameters> {
  return request.method === 'POST' ? readFormText(request).catch(returnMalformed) : ''
}

/** Parses query and form together: a name in both is repeated. */
export function mergeParameters(query: string, form: string | MalformedParameters): Parameters | MalformedParameters {
  if (form instanceof MalformedParameters) return form
  try {
    return readParameters(form === '' ? query : `${query}&${form}`)
  } catch (error) {
    return returnMalformed(error)
  }
}

function returnMalformed(error: unknown): MalformedParameters {
  if (error instanceof MalformedParameters) return error
  throw error
}
