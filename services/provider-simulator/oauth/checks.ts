import type { SimulatedClient } from '../client-registry.ts'
import { type ErrorFields, oauthError } from './errors.ts'

/** An authorization request before validation. */
export interface UncheckedRequest {
  readonly values: ReadonlyMap<string, string>
  readonly repeated: ReadonlySet<string>
  readonly scopes: readonly string[]
  /** Undefined for an unknown client_id. */
  readonly client: SimulatedClient | undefined
}

/** A check of an authorization request: returns the error, if any. A dialect lists its checks in order. */
export type Check = (request: UncheckedRequest) => ErrorFields | undefined

type Describe = (name: string) => string

export function clientIsKnown(error: ErrorFields): Check {
  return ({ client }) => (client === undefined ? error : undefined)
}

/** @param matches by default, the requested redirect URI must equal a registered one exactly (RFC 9700 2.1) */
export function redirectUriIsRegistered(
  error: ErrorFields,
  matches: (requested: string, registered: string) => boolean = (requested, registered) => requested === registered,
): Check {
  return ({ client, values }) => {
    const requested = values.get('redirect_uri')
    const isRegistered =
      requested !== undefined && client?.redirect_uris.some((registered) => matches(requested, registered))
    return isRegistered ? undefined : error
  }
}

/** RFC 6749 3.1: a parameter must not be included more than once. */
export function parametersAreUnique(describe: Describe): Check {
  return ({ repeated }) => {
    const [name] = repeated
    return name === undefined ? undefined : oauthError('invalid_request', describe(name))
  }
}

export function parametersArePresent(names: readonly string[], describe: Describe): Check {
  return ({ values }) => {
    const missing = names.find((name) => !values.has(name))
    return missing === undefined ? undefined : oauthError('invalid_request', describe(missing))
  }
}

export const responseTypeIsCode: Check = ({ values }) =>
  values.get('response_type') === 'code'
    ? undefined
    : oauthError('unsupported_response_type', 'response_type must be code.')

export function scopesAreKnown(known: readonly string[], description = 'scope holds an unknown value.'): Check {
  return scopesFit((scopes) => scopes.every((scope) => known.includes(scope)), description)
}

export function scopesFit(areValid: (scopes: readonly string[]) => boolean, description: string): Check {
  return ({ scopes }) => (areValid(scopes) ? undefined : oauthError('invalid_scope', description))
}

/** Whether a parameter is valid; the value is undefined if the request does not have it. */
type IsValid = (value: string | undefined, values: ReadonlyMap<string, string>) => boolean

/** Checks the parameters in the order of the object's keys. */
export function parametersAreValid(valid: Readonly<Record<string, IsValid>>, describe: Describe): Check {
  return ({ values }) => {
    const invalid = Object.keys(valid).find((name) => !valid[name]?.(values.get(name), values))
    return invalid === undefined ? undefined : oauthError('invalid_request', describe(invalid))
  }
}

export function isOneOf(...known: readonly string[]): IsValid {
  return (value) => value === undefined || known.includes(value)
}

export function matchesPattern(pattern: RegExp): IsValid {
  return (value) => value === undefined || pattern.test(value)
}

/** A space-separated list of known words, in which `none` excludes all others (OpenID Connect Core 3.1.2.1). */
export function isPromptOf(...known: readonly string[]): IsValid {
  return (value) => {
    const prompts = splitWords(value)
    return prompts.every((prompt) => known.includes(prompt)) && (prompts.length < 2 || !prompts.includes('none'))
  }
}

/** The simulator has no sessions, so no end user is already signed in (OpenID Connect Core 3.1.2.6). */
export const signInIsAllowed: Check = ({ values }) =>
  splitWords(values.get('prompt')).includes('none')
    ? oauthError('login_required', 'The user is not signed in.')
    : undefined

/** `code_challenge` and `code_challenge_method` where only S256 is supported and must be named. */
export const s256Challenge = {
  code_challenge_method: (method, values) =>
    method === 'S256' || (method ?? values.get('code_challenge')) === undefined,
  code_challenge: (challenge, values) => !values.has('code_challenge_method') || /^[\w-]{43}$/.test(challenge ?? ''),
} as const satisfies Record<string, IsValid>

/** `code_challenge` and `code_challenge_method` where both methods are supported and `plain` is the default. */
export const anyChallenge = {
  code_challenge_method: isOneOf('plain', 'S256'),
  code_challenge: matchesPattern(/^[\w.~-]{43,128}$/),
} as const satisfies Record<string, IsValid>

/** The words of a space-separated list, each once. */
export function splitWords(list: string | undefined): readonly string[] {
  return [...new Set((list ?? '').split(' ').filter((word) => word !== ''))]
}
