import { MalformedParameters } from '#http'
import type { Deps } from '../../deps.ts'
import { parseClientAuthentication } from '../../domain/client-authentication.ts'
import { tokenExchangeGrant } from '../../domain/grant-types.ts'
import { OAuthError } from '../../http/oauth-error.ts'
import { recordRejection } from '../../usage/record-rejection.ts'

interface ReceivedRequest {
  readonly request_id: string
  readonly authorization: string | undefined
  /** Undefined if it could not be parsed. */
  readonly form: ReadonlyMap<string, string> | undefined
  readonly address: string | undefined
}

/** Records a rejected token request. Server errors are only logged. */
export function recordTokenRejection(
  error: unknown,
  { request_id, authorization, form = new Map(), address }: ReceivedRequest,
  deps: Pick<Deps, 'siteSettings' | 'rejections' | 'logger'>,
): void {
  const isMalformed = error instanceof MalformedParameters
  if (!isMalformed && !(error instanceof OAuthError && error.status < 500)) return
  const formId = form.get('client_id')
  const presented = parseClientAuthentication(authorization, { client_id: formId, client_secret: undefined })
  recordRejection(
    {
      request_id,
      endpoint: 'token',
      address,
      site: undefined,
      // An exchange of a provider's token is a login of a native app.
      kind: form.get('grant_type') === tokenExchangeGrant ? 'native' : null,
      login_id: isMalformed ? null : error.loginId,
      client_id: 'error' in presented ? formId : presented.client_id,
      redirect_uri: form.get('redirect_uri'),
      error: isMalformed ? 'invalid_request' : error.code,
      error_description: isMalformed ? null : error.description,
      reason: isMalformed ? 'parameters_malformed' : error.reason,
    },
    deps,
  )
}
