/**
 * What became of a request to the Web API, by stable names – the faults' where it was refused by one – with the sentence for people: what
 * was refused, why, and what to do. Pages say the same in other languages by the name.
 */
export const requestExplanations = {
  answered: 'It was answered without an error.',
  invalid_api_key:
    'Refused: the request named no API key, several different ones, or one that is not live. Check that the key is sent once, whole, and was not revoked.',
  operation_failed:
    'It failed inside the service, or the operation found that it cannot be done. If it comes again, tell the operator the request id: the log has the cause under it.',
  invalid_authentication_token:
    'Refused: the token was not found. It was used before, is older than its life, or belongs to another site. Have the person log in again.',
  required_parameter_missing:
    'Refused: a parameter that the operation needs was not sent, or was empty. Compare the request with the description of the operation.',
  invalid_parameter:
    'Refused: a parameter is not as it should be: of a wrong form, sent twice, badly escaped, or naming different users. Compare the request with the description of the operation.',
  entity_not_found:
    'Refused: the site has no such user. Check identifier or primary_key, and whether the API key belongs to the right site.',
  already_mapped:
    'Refused: the user has a primary_key already, and overwriting was not asked for. Send overwrite if the new one is to replace it.',
  provider_not_linked:
    'Refused: the user has no account of the provider that was named. Link it first, or leave it out.',
  provider_settings_incomplete:
    'Refused: the settings of the provider are not complete. The page of the provider says what is missing.',
  provider_already_linked:
    'Refused: the user has an account of this provider already. Unlink it first if another is to be linked.',
  duplicated_primary_key: 'Refused: another user of the site has this primary_key. Each belongs to one user.',
  last_provider:
    'Refused: it is the last provider that the user can log in with. Send nowarn if it is to be unlinked all the same.',
  too_many_requests:
    'Refused: the site had used up its requests of the window. Wait as Retry-After says; if it happens often, spread the calls or ask for a higher limit.',
  address_not_allowed:
    'Refused: the address it came from is not among the allowed addresses of the site. Add it to the list if the caller is yours.',
  option_contract_needed:
    'Refused: it was sent to the alternate base address, for which the site has no option contract. Use the usual base address.',
  unavailable:
    'A part of the service was away and the request could not be answered. Send it again after the time that Retry-After says.',
  server_call_only: 'Refused: a browser called an operation that changes data. Call it from your server.',
  method_not_allowed: 'Refused: the Web API knows GET and POST alone.',
  too_many_refusals:
    'Refused: too many requests with a wrong key or from an address that is not allowed came from this address. Mend the key or the list, and wait as Retry-After says.',
  unknown_operation: 'Refused: the Web API has no operation at this address. Check the path.',
  body_not_a_form:
    'Refused: the body is not a form. Send the parameters as application/x-www-form-urlencoded, or in the query.',
  other: 'Refused. Its status and its code say why.',
} as const

export type RequestExplanation = keyof typeof requestExplanations

// A literal has the keys that its type names.
export const requestExplanationNames = Object.keys(requestExplanations) as RequestExplanation[]
