import { AsyncLocalStorage } from 'node:async_hooks'
import type { ProviderExchange } from '#contracts'
import { parseJson } from '#http'

const exchanges = new AsyncLocalStorage<ProviderExchange[]>()

/** Characters of a text in a traced response. Our choice. */
const maxTextLength = 500

/** Characters of all fields of a response, which are shown only below that. Our choice. */
const maxFieldsLength = 20_000

/** Runs a function, and records what is sent to providers meanwhile. */
export async function traceExchanges<T>(run: () => Promise<T>, into: ProviderExchange[]): Promise<T> {
  return exchanges.run(into, run)
}

/** Records a request and its response, without tokens and secrets, if it is traced. */
export async function traceExchange(method: string, url: string, response: Response | undefined): Promise<void> {
  const trace = exchanges.getStore()
  if (trace === undefined) return
  const { origin, pathname } = new URL(url)
  trace.push({
    method,
    address: origin + pathname,
    status: response?.status ?? null,
    fields: response === undefined ? {} : await readFields(response),
  })
}

/** The fields of a JSON object or a form; values that could be secret are replaced, at every depth. */
async function readFields(response: Response): Promise<Record<string, unknown>> {
  const text = await response.clone().text()
  const body = parseJson(text) ?? (isForm(response) ? Object.fromEntries(new URLSearchParams(text)) : undefined)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {}
  // The keys of a key set are long, and say nothing to a member.
  const { keys: _, ...fields } = Object(body)
  const masked = JSON.stringify(fields, maskValue)
  return masked.length > maxFieldsLength ? {} : JSON.parse(masked)
}

function maskValue(name: string, value: unknown): unknown {
  if (/token(?!_type)|secret|^code$|jwt|assertion|nonce/i.test(name) && typeof value !== 'object') return '…'
  return typeof value === 'string' ? value.slice(0, maxTextLength) : value
}

function isForm(response: Response): boolean {
  return response.headers.get('content-type')?.includes('form-urlencoded') ?? false
}
