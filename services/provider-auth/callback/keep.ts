import type { Knex } from 'knex'
import { type Call, remainingMs } from '#bus'
import { lockLinkForStoring, transaction } from '#database'
import type { Deps } from '../deps.ts'
import type { RecordedLogin } from '../domain/link-login.ts'
import type { ProviderSettings } from '../domain/provider-settings.ts'
import { enqueueLeaving } from '../leaving/enqueue.ts'
import { type Message, recordProviderData, recordStatus } from '../outbox.ts'
import type { Login } from '../providers/provider.ts'
import { upsertCredential } from '../store/credentials.ts'

/** What a provider told of a user's account. */
export interface Supplied {
  readonly login: string
  readonly settings: ProviderSettings
  readonly identifier: string
  readonly link_id: string
  readonly told: Login
  /** As identity says. */
  readonly recorded_at: string
}

/**
 * Keeps what a provider supplied: in one transaction the credential, what the application gets for it, and the messages to other
 * services; then sends them. Nothing is kept when the link was deleted meanwhile, so that the application gets an invalid code
 * or token.
 *
 * @param issue stores what the application gets
 */
export async function keep(
  supplied: Supplied,
  issue: (trx: Knex.Transaction, recorded: RecordedLogin) => Promise<void>,
  deps: Deps,
  call: Call,
): Promise<void> {
  const { link_id, identifier, told, settings } = supplied
  const { site, provider } = settings
  const recorded = { site, identifier, provider, link_id, recorded_at: new Date(supplied.recorded_at) }
  const credential = { ...recorded, ...told.credential, provider_user_id: told.provider_user_id }
  const messages = messagesOf(supplied)
  const kept = await transaction(deps.knex, async (trx) => {
    const storable = await lockLinkForStoring(trx, recorded)
    if (!storable || !(await upsertCredential(trx, deps.encryptor, credential)))
      await enqueueLeaving(trx, deps, [credential])
    if (!storable) return false
    await issue(trx, recorded)
    await deps.outbox.enqueue(trx, messages)
    return true
  })
  if (kept) await deps.outbox.send(messages, { request_id: call.request_id, withinMs: remainingMs(call) })
}

function messagesOf({ login, settings, identifier, link_id, told, recorded_at: obtainedAt }: Supplied): Message[] {
  const { site, provider } = settings
  const { data, friendship_status } = told
  return [
    recordProviderData({ site, identifier, link_id, provider, data, obtained_at: obtainedAt }, login),
    ...(friendship_status === undefined
      ? []
      : [recordStatus({ link_id, friendship_status, obtained_at: obtainedAt }, login)]),
  ]
}
