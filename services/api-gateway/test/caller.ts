import { expectDescribed } from './described.ts'

/** What the Web API answered. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON; undefined when there is no body. */
  readonly body: unknown
}

export type ParameterList = Readonly<Record<string, string>> | readonly (readonly [string, string])[]

/** A customer's server with its API key. */
export interface WebApiCaller {
  /** Calls an operation with its parameters and the key in the query. */
  readonly get: (operation: string, parameters?: ParameterList, init?: RequestInit) => Promise<Answer>
  /** Calls it with parameters and key in a form. */
  readonly post: (operation: string, parameters?: ParameterList, init?: RequestInit) => Promise<Answer>
}

export function callerOf(webApi: string, apiKey: string): WebApiCaller {
  const encode = (parameters: ParameterList = []) => {
    const pairs = Array.isArray(parameters) ? parameters : Object.entries(parameters)
    return new URLSearchParams([['key', apiKey], ...pairs])
  }
  return {
    get: (operation, parameters, init) => ask(`${webApi}/${operation}?${encode(parameters)}`, init),
    post: (operation, parameters, init) =>
      ask(`${webApi}/${operation}`, { method: 'POST', body: encode(parameters), ...init }),
  }
}

/** Any request at all; redirects are not followed. The answer must be one that the API's description has. */
export async function ask(address: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(address, { redirect: 'manual', ...init })
  const text = await response.text()
  const { status, headers } = response
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  await expectDescribed(new URL(address), {
    method: init?.method,
    status,
    body,
    cache_control: headers.get('cache-control'),
  })
  return { status, headers, body }
}

/** The failed envelope as it must stand. */
export function failed(status: number, code: number, message: string) {
  return { status, body: { status: 'failed', error: { code, message } } }
}

export const refused = {
  invalid_api_key: failed(401, 1, 'Invalid API key or key not found.'),
  operation_failed: failed(500, 3, 'Operation failed.'),
  parameter_missing: failed(400, 5, 'Required parameter not found.'),
  invalid_parameter: failed(400, 6, 'Invalid parameter.'),
  entity_not_found: failed(404, 7, 'Entity not found.'),
  invalid_authentication_token: failed(404, 4, 'Invalid authentication token or token not found.'),
  already_mapped: failed(403, 8, 'Field existed and overwrite disabled.'),
  provider_not_linked: failed(404, 9, 'Specified provider not associated with this user.'),
  provider_settings_incomplete: failed(400, 11, 'Specified provider settings incomplete.'),
  provider_already_linked: failed(409, 15, 'Specified provider already associated with this user.'),
  duplicated_primary_key: failed(400, 16, 'Duplicated primary key.'),
  last_provider: failed(400, 17, 'Unacceptable operation.'),
  too_many_requests: failed(429, 22, 'Too Many Requests.'),
  address_not_allowed: failed(403, 1001, 'Access from this address is not allowed.'),
  option_contract_needed: failed(403, 1002, 'Option contract needed.'),
  unavailable: failed(503, 1003, 'Service temporarily unavailable.'),
  server_call_only: failed(403, 1004, 'Call this operation from a server.'),
  method_not_allowed: failed(405, 1005, 'Method not allowed.'),
  unknown_operation: failed(404, 1008, 'Unknown operation.'),
  body_not_a_form: failed(415, 1009, 'Send the body as application/x-www-form-urlencoded.'),
}
