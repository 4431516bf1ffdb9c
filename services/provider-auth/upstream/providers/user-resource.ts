import { z } from 'zod'
import type { LoginProviderDescription, ProviderData, UserResource } from '#contracts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { Scope } from '../../domain/scopes.ts'
import { findClaim } from './find-claims.ts'
import { listApproved, listUnpermitted, selectByScope } from './provider-scopes.ts'
import { readClaims } from './read-claims.ts'

type Permissions = Pick<LoginProviderDescription, 'permissions'>
type SiteOptions = Pick<SiteProviderSettings, 'options'>

/** The address of a user resource, with the query for what the application was granted. */
export function buildUserAddress(
  { endpoint, fields, emailParameter, tokenParameters = {} }: UserResource,
  { permissions }: Permissions,
  {
    granted,
    settings,
    response,
  }: { readonly granted: readonly Scope[]; readonly settings: SiteOptions; readonly response?: unknown },
): string {
  const address = new URL(endpoint)
  for (const [name, pointer] of Object.entries(tokenParameters)) {
    const value = findClaim(response, pointer)
    if (typeof value === 'string' || typeof value === 'number') address.searchParams.set(name, String(value))
  }
  if (emailParameter !== undefined) address.searchParams.set(emailParameter, String(granted.includes('email')))
  if (fields !== undefined) {
    const opened = listApproved(permissions, settings).flatMap(([, { scope, field }]) =>
      field !== undefined && granted.includes(scope) ? [field] : [],
    )
    const names = [...fields.always, ...selectByScope(fields, granted), ...opened]
    if (names.length > 0) address.searchParams.set(fields.parameter, names.join(','))
  }
  return address.href
}

const NumericId = z.union([z.string(), z.int().transform(String)])

export interface ProviderUser {
  readonly provider_user_id: string
  readonly data: ProviderData
}

/**
 * Reads the response of a user resource.
 *
 * @throws ZodError if it has no user ID
 */
export function readUserResource(
  { userId, allowsNumericId, claims }: UserResource,
  { permissions }: Permissions,
  body: unknown,
  settings: SiteOptions,
): ProviderUser {
  const data = readClaims(claims, body)
  const approved = listApproved(permissions, settings).map(([name]) => name)
  return {
    provider_user_id: (allowsNumericId ? NumericId : z.string()).parse(findClaim(body, userId)),
    data: permissions === undefined ? data : { ...data, not_obtained: listUnpermitted(permissions, approved) },
  }
}
