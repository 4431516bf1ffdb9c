import type { IncomingMessage } from 'node:http'
import { MalformedParameters, type Parameters, readFormText, readParameters } from '#http'

/** What a request sent in its address and its body, as it stands. */
export interface Sent {
  /** Without `?`. */
  readonly query: string
  /** Undefined when the body is not a form or is too long. */
  readonly form: string | undefined
}

export async function readSent(request: IncomingMessage): Promise<Sent> {
  const { url = '' } = request
  const mark = url.indexOf('?')
  const query = mark < 0 ? '' : url.slice(mark + 1)
  if (request.method !== 'POST') return { query, form: '' }
  return { query, form: await orNothing(() => readFormText(request)) }
}

/** Query and form as one: a name in both is repeated. Undefined when they cannot be read. */
export async function readAsParameters({ query, form }: Sent): Promise<Parameters | undefined> {
  if (form === undefined) return undefined
  return orNothing(() => readParameters(form === '' ? query : `${query}&${form}`))
}

async function orNothing<T>(read: () => T): Promise<Awaited<T> | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof MalformedParameters) return undefined
    throw error
  }
}
