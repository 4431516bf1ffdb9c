import type { LoginKind, Provider } from '#contracts'
import type { PendingRequest } from '../../domain/pending-request.ts'
import { tokenPrefixes } from '../../domain/token-prefixes.ts'
import type { NewLoginRecord } from '../../usage/login-log.ts'

type NewLoginStart = NonNullable<NewLoginRecord['start']>

/** The start of a login for the log, as every record of the login has it. @param startedAtMs Unix time */
export function describeStart(request: PendingRequest, provider: Provider, startedAtMs: number): NewLoginStart {
  return {
    at: startedAtMs,
    kind: toKind(request),
    provider,
    client_id: 'client_id' in request ? request.client_id : null,
    is_test: isTestLogin(request),
  }
}

/** Whether a member runs the login to try provider settings, which its `state` says. */
export function isTestLogin({ state }: Pick<PendingRequest, 'state'>): boolean {
  return state?.startsWith(tokenPrefixes.test_login) ?? false
}

function toKind(request: PendingRequest): LoginKind {
  if (request.response_type === 'account_page') return request.link_to === null ? 'account' : 'link'
  if (request.response_type !== 'one_time_token') return 'openid'
  return request.association === null ? 'site' : 'link'
}
