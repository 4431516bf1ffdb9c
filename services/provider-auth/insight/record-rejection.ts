import type { RejectionRecord } from '#contracts'
import { addressGroupOf } from '#http'
import type { Deps } from '../deps.ts'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import { findClient } from '../store/clients.ts'
import { withoutValues } from './received-address.ts'

/** A rejected request, as it was received. */
export interface Rejected
  extends Pick<RejectionRecord, 'request_id' | 'endpoint' | 'error' | 'error_description' | 'reason'> {
  readonly client_id: string | undefined
  readonly redirect_uri: string | undefined
  /** The site in the request's path; undefined: the client's. */
  readonly site: number | undefined
  /** The caller's IP address, for limits only; it is not stored. */
  readonly address: string | undefined
}

const registeredAtMost = 10

/** Records a rejected request for the site's members, in the background: it neither delays the response nor fails. */
export function recordRejection(
  rejected: Rejected,
  { knex, rejections, logger }: Pick<Deps, 'knex' | 'rejections' | 'logger'>,
): void {
  const { client_id, redirect_uri, site, address, ...recorded } = rejected
  const source = addressGroupOf(address)
  if (!rejections.hasRoom(source)) return
  const named = storableClientId(client_id)
  const record = async () => {
    const client = named === undefined ? undefined : await findClient(knex, named)
    const ofSite = site ?? client?.site ?? null
    // The site's members must not see the addresses of another site's client.
    const registered = client?.site === ofSite ? (client?.redirect_uris ?? []) : []
    rejections.add(
      {
        ...recorded,
        client_id: named ?? null,
        redirect_uri: storableAddress(redirect_uri) ?? null,
        registered_redirect_uris: registered.slice(0, registeredAtMost).map(withoutValues),
        site: ofSite,
      },
      source,
    )
  }
  record().catch((error: unknown) =>
    logger.warn({ error, request_id: recorded.request_id }, 'a rejected request could not be recorded'),
  )
}

/** A `client_id` that may be stored. */
export function storableClientId(clientId: string | undefined): string | undefined {
  if (clientId === undefined || !/^[\x21-\x7e]{1,64}$/.test(clientId)) return undefined
  return isSecret(clientId) ? undefined : clientId
}

/** A redirect address as it may be stored. */
export function storableAddress(redirectUri: string | undefined): string | undefined {
  return redirectUri === undefined || isSecret(redirectUri) ? undefined : withoutValues(redirectUri)
}

/** Whether a value is one of our secrets (`sl_…`, `slcs_…`), which applications send in the wrong parameter by mistake. */
function isSecret(value: string): boolean {
  return /^sl[a-z]*_/.test(value) && !value.startsWith(tokenPrefixes.client_id)
}
