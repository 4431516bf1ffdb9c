import { expectDocumented } from './documented-responses.ts'

/** A response of the Web API. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON; undefined without a body. */
  readonly body: unknown
}

export type ParameterList = Readonly<Record<string, string>> | readonly (readonly [string, string])[]

/** A customer's server with its API key. */
export interface WebApiCaller {
  /** Calls an operation with its parameters and the key in the query. */
  readonly get: (operation: string, parameters?: ParameterList, init?: RequestInit) => Promise<ApiResponse>
  /** Calls it with parameters and key in a form. */
  readonly post: (operation: string, parameters?: ParameterList, init?: RequestInit) => Promise<ApiResponse>
}

export function createCaller(webApi: string, apiKey: string): WebApiCaller {
  const encode = (parameters: ParameterList = []) => {
    const pairs = Array.isArray(parameters) ? parameters : Object.entries(parameters)
    return new URLSearchParams([['key', apiKey], ...pairs])
  }
  return {
    get: (operation, parameters, init) => sendRequest(`${webApi}/${operation}?${encode(parameters)}`, init),
    post: (operation, parameters, init) =>
      sendRequest(`${webApi}/${operation}`, { method: 'POST', body: encode(parameters), ...init }),
  }
}

/** Sends any request without following redirects. The response must match the API's description. */
export async function sendRequest(address: string, init?: RequestInit): Promise<ApiResponse> {
  const response = await fetch(address, { redirect: 'manual', ...init })
  const text = await response.text()
  const { status, headers } = response
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  await expectDocumented(new URL(address), {
    method: init?.method,
    status,
    body,
    cache_control: headers.get('cache-control'),
  })
  return { status, headers, body }
}

/** The expected error envelope. */
export function errorEnvelope(status: number, code: number, message: string) {
  return { status, body: { status: 'failed', error: { code, message } } }
}

export const errorResponses = {
  invalid_api_key: errorEnvelope(401, 1, 'Invalid API key or key not found.'),
  operation_failed: errorEnvelope(500, 3, 'Operation failed.'),
  parameter_missing: errorEnvelope(400, 5, 'Required parameter not found.'),
  invalid_parameter: errorEnvelope(400, 6, 'Invalid parameter.'),
  entity_not_found: errorEnvelope(404, 7, 'Entity not found.'),
  invalid_authentication_token: errorEnvelope(404, 4, 'Invalid authentication token or token not found.'),
  already_mapped: errorEnvelope(403, 8, 'Field existed and overwrite disabled.'),
  provider_not_linked: errorEnvelope(404, 9, 'Specified provider not associated with this user.'),
  provider_settings_incomplete: errorEnvelope(400, 11, 'Specified provider settings incomplete.'),
  provider_already_linked: errorEnvelope(409, 15, 'Specified provider already associated with this user.'),
  duplicated_primary_key: errorEnvelope(400, 16, 'Duplicated primary key.'),
  last_provider: errorEnvelope(400, 17, 'Unacceptable operation.'),
  too_many_requests: errorEnvelope(429, 22, 'Too Many Requests.'),
  address_not_allowed: errorEnvelope(403, 1001, 'Access from this address is not allowed.'),
  option_contract_needed: errorEnvelope(403, 1002, 'Option contract needed.'),
  unavailable: errorEnvelope(503, 1003, 'Service temporarily unavailable.'),
  server_call_only: errorEnvelope(403, 1004, 'Call this operation from a server.'),
  method_not_allowed: errorEnvelope(405, 1005, 'Method not allowed.'),
  unknown_operation: errorEnvelope(404, 1008, 'Unknown operation.'),
  events_deleted: errorEnvelope(410, 1010, 'Events after this position are deleted.'),
  body_not_a_form: errorEnvelope(415, 1009, 'Send the body as application/x-www-form-urlencoded.'),
}
