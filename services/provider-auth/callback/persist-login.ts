import type { Knex } from 'knex'
import { type Call, remainingMs } from '#bus'
import { lockLinkForStoring, transaction } from '#database'
import type { Deps } from '../deps.ts'
import type { RecordedLinkLogin } from '../domain/link-record.ts'
import type { SiteProviderSettings } from '../domain/provider-settings.ts'
import { createFriendshipStatusMessage, createProviderDataMessage, type ProviderAuthMessage } from '../outbox.ts'
import { enqueueProviderRevocation } from '../provider-revocation/enqueue.ts'
import type { ProviderLogin } from '../providers/provider.ts'
import { upsertCredential } from '../store/credentials.ts'

/** A login to persist, with the data that the provider returned. */
export interface LoginToPersist {
  readonly login: string
  readonly settings: SiteProviderSettings
  readonly identifier: string
  readonly link_id: string
  readonly providerLogin: ProviderLogin
  /** When identity recorded it. */
  readonly recorded_at: string
}

/**
 * Persists a login in one transaction: the credential, the authorization response and the messages to other services;
 * then sends the messages. If the link was deleted meanwhile, nothing is stored and the application receives an invalid
 * code or token.
 *
 * @param storeResponse stores what the application receives
 */
export async function persistLogin(
  loginToPersist: LoginToPersist,
  storeResponse: (trx: Knex.Transaction, recorded: RecordedLinkLogin) => Promise<void>,
  deps: Deps,
  call: Call,
): Promise<void> {
  const { link_id, identifier, providerLogin, settings } = loginToPersist
  const { site, provider } = settings
  const recorded = { site, identifier, provider, link_id, recorded_at: new Date(loginToPersist.recorded_at) }
  const credential = { ...recorded, ...providerLogin.credential, provider_user_id: providerLogin.provider_user_id }
  const messages = createMessages(loginToPersist)
  const isStored = await transaction(deps.knex, async (trx) => {
    const storable = await lockLinkForStoring(trx, recorded)
    if (!storable || !(await upsertCredential(trx, deps.encryptor, credential)))
      await enqueueProviderRevocation(trx, deps, [credential])
    if (!storable) return false
    await storeResponse(trx, recorded)
    await deps.outbox.enqueue(trx, messages)
    return true
  })
  if (isStored) await deps.outbox.send(messages, { request_id: call.request_id, withinMs: remainingMs(call) })
}

function createMessages({
  login,
  settings,
  identifier,
  link_id,
  providerLogin,
  recorded_at: obtainedAt,
}: LoginToPersist): ProviderAuthMessage[] {
  const { site, provider } = settings
  const { data, friendship_status } = providerLogin
  return [
    createProviderDataMessage({ site, identifier, link_id, provider, data, obtained_at: obtainedAt }, login),
    ...(friendship_status === undefined
      ? []
      : [createFriendshipStatusMessage({ link_id, friendship_status, obtained_at: obtainedAt }, login)]),
  ]
}
