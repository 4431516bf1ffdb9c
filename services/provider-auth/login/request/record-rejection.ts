import { type LoginKind, type RejectionReason, rejectionReasons } from '#contracts'
import type { Deps } from '../../deps.ts'
import { recordRejection } from '../../usage/record-rejection.ts'
import type { Outcome } from './outcome.ts'
import type { RequestContext } from './request-context.ts'

interface ReceivedRequest {
  readonly request_id: string
  readonly kind: LoginKind
  /** Undefined: the parameters could not be parsed. */
  readonly context: RequestContext | undefined
  readonly address: string | undefined
}

/** Errors of `prompt=none` and `max_age` that applications expect in normal operation (OpenID Connect Core 3.1.2.6). */
const expectedErrors: ReadonlySet<string | null> = new Set([
  'login_required',
  'interaction_required',
  'consent_required',
])

/** Records a rejected authorization request; ignores all others. */
export function recordAuthorizationRejection(
  outcome: Outcome,
  { request_id, kind, context, address }: ReceivedRequest,
  deps: Pick<Deps, 'siteSettings' | 'rejections' | 'logger'>,
): void {
  if (outcome.login !== 'client_error') return
  const { error, error_description, reason } = toRejectionReason(outcome)
  if (expectedErrors.has(error)) return
  const { provider, browser, country, parameters } = context ?? {}
  const values = parameters?.values
  recordRejection(
    {
      request_id,
      endpoint: 'authorization',
      error,
      error_description,
      reason,
      address,
      client_id: values?.get('client_id'),
      redirect_uri: values?.get('redirect_uri') ?? values?.get('callback'),
      site: outcome.settings?.site,
      kind,
      provider,
      browser,
      country,
    },
    deps,
  )
}

function toRejectionReason(outcome: Outcome): {
  error: string | null
  error_description: string | null
  reason: RejectionReason
} {
  const response = readResponse(outcome)
  if (response !== undefined) {
    const error = response.get('error') ?? response.get('reason')
    return { error, error_description: response.get('error_description'), reason: 'sent_to_application' }
  }
  const page = outcome.kind === 'page' ? outcome.page : undefined
  const reason = rejectionReasons.find((name) => name === page) ?? 'other'
  return { error: null, error_description: null, reason }
}

/** The parameters for the application; undefined for a page. */
function readResponse(outcome: Outcome): URLSearchParams | undefined {
  if (outcome.kind === 'form_post') return new URLSearchParams(outcome.form.fields)
  if (outcome.kind !== 'redirect') return undefined
  // A registered redirect URI has no fragment and none of our parameters, so they are ours and their values are fixed.
  const { search, hash } = new URL(outcome.location)
  return new URLSearchParams(hash === '' ? search : hash.slice(1))
}
