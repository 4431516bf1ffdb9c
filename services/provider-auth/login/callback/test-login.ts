import type { ProviderExchange, TestLoginOutcome } from '#contracts'
import type { Deps } from '../../deps.ts'
import type { PendingRequest } from '../../domain/pending-request.ts'
import { ProviderRequestFailed } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { findTestLogin, updateTestLogin } from '../../store/test-logins.ts'
import { traceExchanges } from '../../upstream/http-client/request-trace.ts'
import { adviseOn } from '../request/login-advice.ts'
import { isTestLogin } from '../request/login-start.ts'

/** Runs a part of a login; if it is a test login, also records the requests to the provider. */
export async function runTraced<T>(
  { state }: Pick<PendingRequest, 'state'>,
  run: () => Promise<T>,
  exchanges: ProviderExchange[],
): Promise<T> {
  return isTestLogin({ state }) ? traceExchanges(run, exchanges) : run()
}

/**
 * Stores the result of a test login, which is recognized by its `state`. Only the first result counts. A failure to
 * store it does not affect the login.
 */
export async function recordTestLogin(
  { state }: Pick<PendingRequest, 'state'>,
  { site, provider }: Pick<SiteProviderSettings, 'site' | 'provider'>,
  outcome: TestLoginOutcome,
  deps: Pick<Deps, 'redis' | 'encryptor' | 'logger'>,
): Promise<void> {
  if (state === null || !isTestLogin({ state })) return
  try {
    const testLogin = await findTestLogin(deps, state)
    if (testLogin?.site !== site || testLogin.provider !== provider || testLogin.outcome.outcome !== 'waiting') return
    await updateTestLogin(deps, state, { ...testLogin, outcome })
  } catch (error) {
    deps.logger.warn({ error }, 'storing the result of a test login failed')
  }
}

/** The result of a failed test login, with the error that the application receives. */
export function toFailedOutcome(
  error: unknown,
  parameters: Readonly<Record<string, string>>,
  exchanges: ProviderExchange[],
): TestLoginOutcome {
  return {
    outcome: 'failed',
    error: parameters.error ?? parameters.reason ?? 'server_error',
    provider_message: error instanceof ProviderRequestFailed ? error.message : null,
    advice: adviseOn(error),
    exchanges,
  }
}
