import type { LoginProviderDescription, OAuth2Protocol, OidcProtocol, ProfileItem } from '#contracts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { Scope } from '../../domain/scopes.ts'

type Permissions = LoginProviderDescription['permissions']

/**
 * The provider's scopes for those that the application was granted.
 *
 * @param permitted limits the permissions; absent: all that the scopes cover
 */
export function toProviderScopes(
  { scopes }: Pick<OidcProtocol | OAuth2Protocol, 'scopes'>,
  permissions: Permissions,
  {
    granted,
    settings,
    permitted,
  }: {
    readonly granted: readonly Scope[]
    readonly settings: Pick<SiteProviderSettings, 'official_account' | 'options'>
    readonly permitted?: readonly string[] | undefined
  },
): readonly string[] {
  const selected = selectByScope(scopes, granted)
  const others = [
    ...(settings.official_account ? (scopes.officialAccount ?? []) : []),
    ...(selected.length === 0 ? (scopes.otherwise ?? []) : selected),
    // The provider rejects a login that requests a permission that it did not approve.
    ...listApproved(permissions, settings).flatMap(([name, { scope }]) =>
      granted.includes(scope) && (permitted === undefined || permitted.includes(name)) ? [name] : [],
    ),
  ]
  return [...new Set([...scopes.always, ...others])]
}

/** Selects what belongs to the granted scopes, in the order of the scopes. */
export function selectByScope(
  by: Readonly<Partial<Record<Exclude<Scope, 'openid'>, readonly string[]>>>,
  granted: readonly Scope[],
): readonly string[] {
  return (['profile', 'email', 'address', 'phone'] as const).flatMap((scope) =>
    granted.includes(scope) ? (by[scope] ?? []) : [],
  )
}

/** The permissions that the provider approved for the site. */
export function listApproved(permissions: Permissions = {}, { options }: Pick<SiteProviderSettings, 'options'>) {
  const names = options.permissions?.split(',') ?? []
  return Object.entries(permissions).filter(([name]) => names.includes(name))
}

/** The items that a response cannot have, because their permissions were not requested. */
export function listUnpermitted(permissions: Permissions = {}, requested: readonly string[]): ProfileItem[] {
  return Object.entries(permissions).flatMap(([name, { items }]) => (requested.includes(name) ? [] : [...items]))
}
