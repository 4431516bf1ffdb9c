import { type DocumentOfVersion, DocumentsOfVersions, LoginProvider, type ProviderNames } from '#contracts'
import type { RegisteredClient } from '../../domain/client.ts'
import type { AppLogin } from '../../domain/provider-client.ts'
import { listClientScopes, type RequestableScope } from '../../domain/scopes.ts'
import { OAuthError } from '../../http/oauth-error.ts'
import { byteLengthOf } from '../../response/redirect-location.ts'

/** Token types (RFC 8693 3). */
export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'
const idTokenType = 'urn:ietf:params:oauth:token-type:id_token'

/** Maximum bytes of a nonce, as at the authorization endpoint. Our choice. */
const maxNonceBytes = 512

/** An exchange of a login provider's token for ours. */
export interface ExchangeRequest {
  readonly provider: LoginProvider
  readonly received: AppLogin
  readonly scope: readonly RequestableScope[]
  readonly nonce: string | null
  /** The documents of the site that the user accepted in the app, with their versions. */
  readonly accepted_documents: readonly DocumentOfVersion[]
}

/**
 * Parses the parameters of RFC 8693 2.1. `subject_issuer`, which is ours, names the login provider as in the Web API: an
 * access token does not say who issued it, and providers have several issuers. `nonce` is that of the ID Token.
 * `accepted_documents` is ours, too.
 *
 * @throws OAuthError
 */
export function parseExchangeRequest(
  form: ReadonlyMap<string, string>,
  client: Pick<RegisteredClient, 'token_exchange' | 'user_metadata_write'>,
  names: ProviderNames,
): ExchangeRequest {
  if (!client.token_exchange) throw new OAuthError('grant_not_allowed')
  const subjectToken = getRequired(form, 'subject_token')
  const tokenField = subjectTokenFields.get(getRequired(form, 'subject_token_type'))
  if (tokenField === undefined) throw new OAuthError('subject_token_type_unsupported')
  const provider = LoginProvider.safeParse(names.fromWire(getRequired(form, 'subject_issuer'))).data
  if (provider === undefined) throw new OAuthError('subject_issuer_unknown')
  if ((form.get('requested_token_type') ?? accessTokenType) !== accessTokenType)
    throw new OAuthError('requested_token_type_unsupported')
  if (form.has('actor_token') || form.has('actor_token_type')) throw new OAuthError('actor_token_unsupported')
  if (form.has('resource') || form.has('audience')) throw new OAuthError('target_unsupported')
  const nonce = form.get('nonce')
  if (byteLengthOf(nonce) > maxNonceBytes) throw new OAuthError('field_invalid', { parameter: 'nonce' })
  const accepted = DocumentsOfVersions.optional().safeParse(form.get('accepted_documents'))
  if (!accepted.success) throw new OAuthError('field_invalid', { parameter: 'accepted_documents' })
  return {
    provider,
    received: { [tokenField]: subjectToken, nonce },
    scope: parseScope(form.get('scope'), client),
    nonce: nonce ?? null,
    accepted_documents: accepted.data ?? [],
  }
}

const subjectTokenFields: ReadonlyMap<string, 'access_token' | 'id_token'> = new Map([
  [accessTokenType, 'access_token'],
  [idTokenType, 'id_token'],
])

function getRequired(form: ReadonlyMap<string, string>, parameter: string): string {
  const value = form.get(parameter)
  if (value === undefined) throw new OAuthError('parameter_missing', { parameter })
  return value
}

/** Without the parameter, the scope is `openid` (RFC 6749 3.3). */
function parseScope(
  scope = 'openid',
  client: Pick<RegisteredClient, 'user_metadata_write'>,
): readonly RequestableScope[] {
  const requested = scope.split(' ').filter((name) => name !== '')
  const supported = listClientScopes(client).filter((name) => requested.includes(name))
  if (!supported.includes('openid') || requested.some((name) => !supported.some((scopeName) => scopeName === name)))
    throw new OAuthError('scope_invalid')
  return supported
}
