import type { Knex } from 'knex'
import { type Call, remainingMs } from '#bus'
import { lockLinkForStoring, transaction } from '#database'
import type { Deps } from '../../deps.ts'
import type { RecordedLinkLogin } from '../../domain/link-record.ts'
import { createFriendshipStatusMessage, createProviderDataMessage, type ProviderAuthMessage } from '../../outbox.ts'
import { upsertAppTokens, upsertCredential } from '../../store/credentials.ts'
import { removeLoginJob } from './login-job.ts'
import { type IdentityLogin, revokeSuppliedTokens } from './record-supplied-login.ts'
import type { SuppliedLogin } from './supplied-login.ts'

/** Stores what the application receives. */
export type StoreResponse = (trx: Knex.Transaction, recorded: RecordedLinkLogin) => Promise<void>

export const storeNothing: StoreResponse = async () => {}

/**
 * Persists a recorded login in one transaction: the credential, the authorization response and the messages to other
 * services, instead of its job; then sends the messages. If the link was deleted meanwhile, nothing is stored and the
 * application receives an invalid code or token.
 */
export async function persistLogin(
  supplied: SuppliedLogin,
  recordedLogin: IdentityLogin,
  storeResponse: StoreResponse,
  deps: Deps,
  call: Call,
): Promise<void> {
  const { site, provider } = supplied
  const { user, link_id, recorded_at } = recordedLogin
  const { identifier } = user
  const recorded = { site, identifier, provider, link_id, recorded_at: new Date(recorded_at) }
  const messages = createMessages(supplied, recordedLogin)
  const isStored = await transaction(deps.knex, async (trx) => {
    // Otherwise the job has stored the credential, whose tokens may have been refreshed since.
    const isFirst = await removeLoginJob(trx, supplied)
    const storable = await lockLinkForStoring(trx, recorded)
    if (isFirst && !(storable && (await storeTokens(trx, supplied, recorded, deps))))
      await revokeSuppliedTokens(trx, supplied, deps)
    if (!storable) return false
    await storeResponse(trx, recorded)
    await deps.outbox.enqueue(trx, messages)
    return true
  })
  if (isStored) await deps.outbox.send(messages, { request_id: call.request_id, withinMs: remainingMs(call) })
}

/** @returns false if the tokens of a later login are stored */
async function storeTokens(
  trx: Knex.Transaction,
  { credential, app_tokens, provider_user_id }: SuppliedLogin,
  recorded: RecordedLinkLogin,
  { encryptor }: Deps,
): Promise<boolean> {
  if (app_tokens !== null) await upsertAppTokens(trx, encryptor, { ...recorded, ...app_tokens, provider_user_id })
  return credential === null || upsertCredential(trx, encryptor, { ...recorded, ...credential, provider_user_id })
}

function createMessages(
  { login, site, provider, data, friendship_status }: SuppliedLogin,
  { user: { identifier }, link_id, recorded_at: obtainedAt }: IdentityLogin,
): ProviderAuthMessage[] {
  return [
    createProviderDataMessage({ site, identifier, link_id, provider, data, obtained_at: obtainedAt }, login),
    ...(friendship_status === undefined
      ? []
      : [createFriendshipStatusMessage({ site, link_id, friendship_status, obtained_at: obtainedAt }, login)]),
  ]
}
