import type { PassedParameters } from '#contracts'
import type { Parameters } from '#http'
import type { Deps } from '../../deps.ts'
import { AuthorizationRequest } from '../../domain/authorization-request.ts'
import type { RegisteredClient } from '../../domain/client.ts'
import { getDefaultResponseMode, type ResponseMode } from '../../domain/response-mode.ts'
import { listClientScopes } from '../../domain/scopes.ts'
import { byteLengthOf, maxStateBytes } from '../../response/redirect-location.ts'
import { verifyIdTokenHint } from '../token/id-token-hint.ts'
import { readRequestedMode } from '../token/request-object.ts'

/** The request and what it is validated against. */
export interface RequestToValidate extends Parameters {
  readonly client: Pick<RegisteredClient, 'kind' | 'pkce' | 'response_types' | 'user_metadata_write'>
  readonly passedParameters: PassedParameters
  /** The result of `verifyIdTokenHint`. */
  readonly hintedIdentifier: string | null | undefined
}

export type RequestError = Readonly<Record<'error' | 'error_description', string>>

interface Check extends RequestError {
  readonly isInvalid: (request: RequestToValidate) => boolean
}

/** Maximum lengths in bytes; all other parameters have known values or formats. Our choice. */
const maxBytes = {
  nonce: 512,
  login_hint: 512,
  ui_locales: 512,
  acr_values: 512,
  id_token_hint: 8_192,
  state: maxStateBytes,
} as const

/** The parameters that we read. Only these must not be repeated, because unknown ones are ignored (RFC 6749 3.1). */
const knownParameters = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
  'registration',
  'prompt',
  'max_age',
  'id_token_hint',
  'login_hint',
  'ui_locales',
  'bot_prompt',
  'disable_auto_login',
]

/**
 * All errors that are sent to the redirect URI, in the order of the checks: parameters that replace others, which may
 * be missing outside a request object (OpenID Connect Core 6.1); ambiguous requests; the specification's table
 * "Redirect errors"; then the rules of RFC 7636, OpenID Connect Core and the providers' own parameters.
 */
export const requestChecks: readonly Check[] = [
  ...(['request', 'request_uri', 'registration'] as const).map((name) =>
    defineCheck(`${name}_not_supported`, `${name} is not supported.`, ({ values }) => values.has(name)),
  ),
  defineCheck('invalid_request', 'A parameter is repeated.', ({ repeated }) =>
    knownParameters.some((name) => repeated.has(name)),
  ),
  defineCheck(
    'unsupported_response_type',
    'Unsupported response_type.',
    (request) => parseResponseType(request) === undefined,
  ),
  defineCheck('unauthorized_client', 'The client may not use this response_type.', (request) => {
    const responseType = parseResponseType(request)
    return responseType !== undefined && !request.client.response_types.includes(responseType)
  }),
  defineCheck('invalid_scope', 'openid scope is required.', (request) => !parseScope(request).includes('openid')),
  defineCheck('invalid_scope', 'scope is invalid.', (request) => {
    const definedScopes = new Set<string>(listClientScopes(request.client))
    return !parseScope(request).every((name) => definedScopes.has(name))
  }),
  defineCheck(
    'invalid_request',
    'When response_type includes id_token, nonce is required.',
    (request) => parseResponseType(request) === 'id_token' && !request.values.has('nonce'),
  ),
  defineCheck('invalid_request', 'code_challenge format is invalid.', ({ values }) => {
    const challenge = values.get('code_challenge')
    const format = values.get('code_challenge_method') === 'S256' ? s256Challenge : plainChallenge
    return challenge !== undefined && !format.test(challenge)
  }),
  defineCheck('invalid_request', 'Unsupported code_challenge_method.', ({ values }) => {
    const method = values.get('code_challenge_method')
    return method !== undefined && method !== 'plain' && method !== 'S256'
  }),
  defineCheck(
    'invalid_request',
    'code_challenge_method requires code_challenge.',
    ({ values }) => values.has('code_challenge_method') && !values.has('code_challenge'),
  ),
  defineCheck(
    'invalid_request',
    'code_challenge is required.',
    (request) => requiresPkce(request) && !request.values.has('code_challenge'),
  ),
  defineCheck(
    'invalid_request',
    'code_challenge_method must be S256.',
    (request) =>
      requiresPkce(request) && request.client.pkce === 'S256' && request.values.get('code_challenge_method') !== 'S256',
  ),
  defineCheck('invalid_request', 'response_mode is invalid.', (request) => {
    const mode = request.values.get('response_mode')
    return mode !== undefined && mode !== getResponseMode(request)
  }),
  defineCheck('invalid_request', 'prompt is invalid.', (request) => {
    const prompts = parsePrompts(request)
    const noneIsOnlyPrompt = prompts.length === 1 || !prompts.includes('none')
    return !noneIsOnlyPrompt || !prompts.every((prompt) => knownPrompts.has(prompt))
  }),
  ...(['bot_prompt', 'disable_auto_login'] as const).map((name) =>
    defineCheck('invalid_request', `${name} is invalid.`, ({ values, passedParameters }) => {
      const value = values.get(name)
      return value !== undefined && passedParameters[name]?.values?.includes(value) === false
    }),
  ),
  defineCheck('invalid_request', 'max_age is invalid.', ({ values }) => !/^\d{0,9}$/.test(values.get('max_age') ?? '')),
  defineCheck('invalid_request', 'id_token_hint is invalid.', ({ hintedIdentifier }) => hintedIdentifier === undefined),
  ...Object.entries(maxBytes).map(([name, maximum]) =>
    defineCheck('invalid_request', `${name} is too long.`, ({ values }) => byteLengthOf(values.get(name)) > maximum),
  ),
]

/**
 * Validates the request of a known client with a registered redirect URI. Returns the request or the error for the
 * client.
 */
export async function validateRequest(
  parameters: Parameters,
  { client, passedParameters }: Pick<RequestToValidate, 'passedParameters'> & { readonly client: RegisteredClient },
  deps: Pick<Deps, 'signingKeys' | 'hosts'>,
): Promise<AuthorizationRequest | RequestError> {
  const hintedIdentifier = await verifyIdTokenHint(parameters.values.get('id_token_hint'), client.client_id, deps)
  const request = { ...parameters, client, passedParameters, hintedIdentifier }
  return findRequestError(request) ?? parseRequest(request)
}

export function isRequestError(checked: AuthorizationRequest | RequestError): checked is RequestError {
  return 'error' in checked
}

/** The first error of a request whose client_id and redirect_uri are valid. */
export function findRequestError(request: RequestToValidate): RequestError | undefined {
  const failed = requestChecks.find(({ isInvalid }) => isInvalid(request))
  return failed && { error: failed.error, error_description: failed.error_description }
}

/** Parses a request in which `findRequestError` found no error. */
export function parseRequest({
  values,
  hintedIdentifier,
}: Pick<RequestToValidate, 'values' | 'hintedIdentifier'>): AuthorizationRequest {
  const optional = (name: string) => values.get(name) ?? null
  const codeChallenge = optional('code_challenge')
  return AuthorizationRequest.parse({
    client_id: values.get('client_id'),
    redirect_uri: values.get('redirect_uri'),
    response_type: values.get('response_type'),
    response_mode: optional('response_mode'),
    scope: [...new Set(parseScope({ values }))],
    state: optional('state'),
    nonce: optional('nonce'),
    code_challenge: codeChallenge,
    code_challenge_method: codeChallenge === null ? null : (optional('code_challenge_method') ?? 'plain'),
    max_age: values.has('max_age') ? Number(values.get('max_age')) : null,
    reauthenticate: parsePrompts({ values }).includes('login'),
    hinted_identifier: hintedIdentifier,
  })
}

/**
 * The response mode: `form_post` if it is requested, for any response type, else the default. A form cannot be posted to
 * a native application's private-use scheme (RFC 8252 7.1).
 */
export function getResponseMode({ values }: Pick<Parameters, 'values'>): ResponseMode {
  const acceptsForms = /^https?:/.test(values.get('redirect_uri') ?? '')
  const requested = values.get('response_mode') ?? readRequestedMode(values.get('request'))
  return acceptsForms && requested === 'form_post' ? 'form_post' : getDefaultResponseMode(values.get('response_type'))
}

/** RFC 7636 4.2: base64url of 32 bytes for S256; for plain, `code-challenge` has the format of the verifier. */
const s256Challenge = /^[A-Za-z0-9_-]{43}$/
const plainChallenge = /^[A-Za-z0-9._~-]{43,128}$/

function defineCheck(error: string, errorDescription: string, isInvalid: Check['isInvalid']): Check {
  return { error, error_description: errorDescription, isInvalid }
}

function parseResponseType({ values }: Pick<Parameters, 'values'>): 'code' | 'id_token' | undefined {
  const responseType = values.get('response_type')
  return responseType === 'code' || responseType === 'id_token' ? responseType : undefined
}

/** The words of `prompt` (OpenID Connect Core 3.1.2.1). */
export function parsePrompts({ values }: Pick<Parameters, 'values'>): string[] {
  return (values.get('prompt') ?? '').split(' ').filter((word) => word !== '')
}

const knownPrompts: ReadonlySet<string> = new Set(['none', 'login', 'select_account', 'consent'])

function parseScope({ values }: Pick<Parameters, 'values'>): string[] {
  return (values.get('scope') ?? '').split(' ').filter((name) => name !== '')
}

/** Whether the request needs a code_challenge. PKCE protects codes, which the ID Token flow does not have. */
function requiresPkce(request: RequestToValidate): boolean {
  const { kind, pkce } = request.client
  return parseResponseType(request) === 'code' && (pkce !== 'optional' || kind === 'public')
}
