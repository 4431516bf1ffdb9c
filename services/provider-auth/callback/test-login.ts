import type { TestLoginOutcome } from '#contracts'
import type { Deps } from '../deps.ts'
import type { ProviderSettings } from '../domain/provider-settings.ts'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import type { PendingRequest } from '../login/pending-login.ts'
import { ProviderRequestFailed } from '../providers/provider.ts'
import { findTestLogin, updateTestLogin } from '../store/test-logins.ts'

/**
 * Keeps what came of a login for whoever tries the settings by it, if somebody does: then its `state` is one of ours. Only the
 * first login counts. A login is none the worse when this does not succeed.
 */
export async function recordTestLogin(
  { state }: Pick<PendingRequest, 'state'>,
  { site, provider }: Pick<ProviderSettings, 'site' | 'provider'>,
  outcome: TestLoginOutcome,
  deps: Pick<Deps, 'redis' | 'encryptor' | 'logger'>,
): Promise<void> {
  if (!state?.startsWith(tokenPrefixes.test_login)) return
  try {
    const testLogin = await findTestLogin(deps, state)
    if (testLogin?.site !== site || testLogin.provider !== provider || testLogin.outcome.outcome !== 'waiting') return
    await updateTestLogin(deps, state, { ...testLogin, outcome })
  } catch (error) {
    deps.logger.warn({ error }, 'what came of a test login is not known')
  }
}

/** A test login that came to nothing, with what the application is told of it. */
export function toFailedOutcome(error: unknown, parameters: Readonly<Record<string, string>>): TestLoginOutcome {
  return {
    outcome: 'failed',
    error: parameters.error ?? parameters.reason ?? 'server_error',
    provider_said: error instanceof ProviderRequestFailed ? error.message : null,
  }
}
