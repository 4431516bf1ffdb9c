import type { Call } from '#bus'
import { Fault } from '#contracts'
import { clockToleranceSeconds } from '#http'
import type { Deps } from '../../deps.ts'
import { createLoginRequiredError } from '../../domain/interaction-required.ts'
import type { ProviderLogin } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'

interface HintedLogin {
  readonly request: { readonly hinted_identifier: string | null }
  readonly settings: Pick<SiteProviderSettings, 'site' | 'provider'>
  readonly providerLogin: Pick<ProviderLogin, 'provider_user_id'>
}

/** Whether the authentication is as recent as `max_age` requires. @param maxAge in seconds; null: any */
export function satisfiesMaxAge(authTime: Date | undefined, maxAge: number | null): boolean {
  if (authTime === undefined || maxAge === null) return true
  return Date.now() - authTime.getTime() <= (maxAge + clockToleranceSeconds) * 1_000
}

/**
 * Rejects an account of another user than the hinted one, before anything is recorded (OpenID Connect Core 3.1.2.1).
 *
 * @throws InteractionRequired
 */
export async function requireHintedUser(
  { request: { hinted_identifier }, settings: { site, provider }, providerLogin: { provider_user_id } }: HintedLogin,
  { identity }: Pick<Deps, 'identity'>,
  call: Call,
): Promise<void> {
  if (hinted_identifier === null) return
  const { links } = await identity
    .resolveUser({ site, identifier: hinted_identifier }, call)
    .catch((error: unknown) => {
      throw error instanceof Fault && ['entity_not_found', 'invalid_parameter'].includes(error.fault)
        ? createLoginRequiredError('user_mismatch')
        : error
    })
  // A login through `search` also finds accounts that are linked as `search_legacy`.
  const names = provider === 'search' ? ['search', 'search_legacy'] : [provider]
  const own = links.some((link) => names.includes(link.provider) && link.provider_user_id === provider_user_id)
  if (!own) throw createLoginRequiredError('user_mismatch')
}
