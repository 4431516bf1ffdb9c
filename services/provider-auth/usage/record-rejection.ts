import { addressGroupOf } from '#http'
import type { Logger } from '#runtime'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import type { SiteSettings } from '../site-settings.ts'
import { redactUri } from './redact-uri.ts'
import type { NewRejection, RejectionBuffer } from './rejection-buffer.ts'

/** A rejected request, as it was received. */
export interface RejectedRequest
  extends Omit<NewRejection, 'at' | 'client_id' | 'redirect_uri' | 'registered_redirect_uris' | 'site'> {
  readonly client_id: string | undefined
  readonly redirect_uri: string | undefined
  /** The site in the request's path; undefined: the client's site. */
  readonly site: number | undefined
  /** The caller's IP address, for limits only; it is not stored. */
  readonly address: string | undefined
}

interface RecordingDeps {
  readonly siteSettings: Pick<SiteSettings, 'findClient'>
  readonly rejections: RejectionBuffer
  readonly logger: Logger
}

const maxRegisteredUris = 10

/** Records a rejected request for the site's members, in the background: it neither delays the response nor fails. */
export function recordRejection(rejected: RejectedRequest, { siteSettings, rejections, logger }: RecordingDeps): void {
  const { client_id, redirect_uri, site, address, ...recorded } = rejected
  const source = addressGroupOf(address)
  if (!rejections.hasRoom(source)) return
  const clientId = toStorableClientId(client_id)
  const record = async () => {
    const client = clientId === undefined ? undefined : await siteSettings.findClient(clientId)
    const rejectionSite = site ?? client?.site ?? null
    // The site's members must not see the addresses of another site's client.
    const registered = client?.site === rejectionSite ? (client?.redirect_uris ?? []) : []
    rejections.add(
      {
        ...recorded,
        client_id: clientId ?? null,
        redirect_uri: toStorableUri(redirect_uri) ?? null,
        registered_redirect_uris: registered.slice(0, maxRegisteredUris).map(redactUri),
        site: rejectionSite,
      },
      source,
    )
  }
  record().catch((error: unknown) =>
    logger.warn({ error, request_id: recorded.request_id }, 'recording a rejected request failed'),
  )
}

/** The `client_id`, unless it must not be stored. */
export function toStorableClientId(clientId: string | undefined): string | undefined {
  if (clientId === undefined || !/^[\x21-\x7e]{1,128}$/.test(clientId)) return undefined
  return isSecret(clientId) ? undefined : clientId
}

/** The redirect URI without secrets and personal data. */
export function toStorableUri(redirectUri: string | undefined): string | undefined {
  return redirectUri === undefined || isSecret(redirectUri) ? undefined : redactUri(redirectUri)
}

/**
 * Whether a value is one of our secrets (`sl_…`, `slcs_…`), which applications sometimes send in the wrong parameter.
 */
function isSecret(value: string): boolean {
  return /^sl[a-z]*_/.test(value) && !value.startsWith(tokenPrefixes.client_id)
}
