/**
 * Results of Web API requests: stable names (of the fault, if the request was rejected), each with a message that says what happened, why,
 * and what to do. The console translates a result by its name.
 */
export const requestExplanations = {
  succeeded: 'The request succeeded.',
  invalid_api_key:
    'The request has no API key, several different keys, or a key that is not active. Send the complete key once, and check that it was not revoked.',
  operation_failed:
    'The operation failed inside the service. If it fails again, send the request ID to the operator, who finds the cause in the log.',
  invalid_authentication_token:
    'The token was not found. It was used before, has expired, or belongs to another site. Let the end user log in again.',
  required_parameter_missing:
    'A required parameter is missing or empty. Compare the request with the reference of the operation.',
  invalid_parameter:
    'A parameter has a wrong format, was sent twice, is badly escaped, or the parameters name different users. Compare the request with the reference of the operation.',
  entity_not_found:
    'The site has no such user. Check identifier or primary_key, and that the API key belongs to the right site.',
  already_mapped: 'The user has a primary_key already. To replace it, send overwrite.',
  provider_not_linked:
    'The user has no linked account of this provider. Link the provider first, or omit it from the request.',
  provider_settings_incomplete:
    'The settings of the provider are incomplete. The page of the provider lists what is missing.',
  provider_already_linked:
    'The user already has a linked account of this provider. To link another one, unlink the current one first.',
  duplicated_primary_key: 'Another user of the site has this primary_key. A primary_key belongs to one user only.',
  last_provider: 'This is the last provider that the user can log in with. To unlink it anyway, send nowarn.',
  too_many_requests:
    'The site exceeded its rate limit. Wait for the time in Retry-After. If this happens often, spread the calls or request a higher limit.',
  address_not_allowed:
    'The address of the caller is not an allowed address of the site. If the caller is yours, add its address to the list.',
  option_contract_needed:
    'The request was sent to the alternate base address, but the site has no option contract. Use the standard base address.',
  unavailable: 'Part of the service was temporarily unavailable. Send the request again after the time in Retry-After.',
  server_call_only: 'A browser called an operation that changes data. Call it from your server.',
  method_not_allowed: 'The Web API supports only GET and POST.',
  too_many_rejections:
    'This address sent too many requests with a wrong key or from an address that is not allowed. Correct the key or the list, and wait for the time in Retry-After.',
  unknown_operation: 'The Web API has no operation at this path. Check the path.',
  body_not_a_form: 'The body is not a form. Send the parameters as application/x-www-form-urlencoded, or in the query.',
  events_deleted:
    'The events after the cursor are deleted, or the stream was restored from a backup. List all users again, and continue from a new cursor.',
  other: 'The request was rejected. Its status and code say why.',
} as const

export type RequestExplanation = keyof typeof requestExplanations

// A literal has the keys that its type names.
export const requestExplanationNames = Object.keys(requestExplanations) as RequestExplanation[]
