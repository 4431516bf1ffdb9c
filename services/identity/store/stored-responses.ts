import type { Knex } from 'knex'
import { limits } from '#contracts'
import { translateConstraintErrors } from '#database'

/** A request a customer may repeat: the hashes of its `Idempotency-Key` and of what it asks. */
export interface IdempotentRequest {
  readonly site: number
  readonly idempotency_key: string
  readonly request: string
}

export interface StoredResponseRow {
  readonly request: string
  readonly response: string | null
  /** The user that the request created is deleted. */
  readonly user_deleted: boolean
}

/** How long who began a request has it alone: longer than a request may take. Our choice. */
const claimSeconds = (2 * limits.web_api_deadline_ms) / 1_000
const cleanupBatchSize = 10

/**
 * Claims the request unless its answer is there or somebody else has it; one begun before keeps its command.
 *
 * @returns the command, undefined when the request was not to be had
 */
export async function insertClaim(
  knex: Knex,
  { site, idempotency_key, request }: IdempotentRequest,
  newCommand: string,
): Promise<string | undefined> {
  const { rows } = await knex.raw<{ rows: { command: string }[] }>(
    `insert into stored_responses as stored (site, idempotency_key, request, command, claimed_until, expires_at)
     values (:site, :idempotency_key, :request, :new_command,
             now() + make_interval(secs => :claim_seconds), now() + make_interval(secs => :stored_seconds))
     on conflict (site, idempotency_key) do update set claimed_until = excluded.claimed_until
     where stored.response is null and not stored.user_deleted
       and stored.request = excluded.request and stored.claimed_until <= now()
     returning command`,
    {
      site,
      idempotency_key,
      request,
      new_command: newCommand,
      claim_seconds: claimSeconds,
      stored_seconds: limits.stored_response_seconds,
    },
  )
  return rows[0]?.command
}

export async function findStoredResponse(
  knex: Knex,
  { site, idempotency_key }: IdempotentRequest,
): Promise<StoredResponseRow | undefined> {
  return knex('stored_responses').where({ site, idempotency_key }).first('request', 'response', 'user_deleted')
}

/** Removes the request's record when it is past its time, and some others, so that every claim clears more than it adds. */
export async function deleteExpiredResponses(knex: Knex, { site, idempotency_key }: IdempotentRequest): Promise<void> {
  await knex('stored_responses').where({ site, idempotency_key }).whereRaw('expires_at <= now()').delete()
  // Waits for nobody, so that two who sweep do not wait for each other.
  await knex.raw(
    `delete from stored_responses where command in (
       select command from stored_responses where expires_at <= now() order by expires_at limit ? for update skip locked
     )`,
    [cleanupBatchSize],
  )
}

/** Keeps the answer; without one, ends the claim. @throws Fault `entity_not_found`: the user it is about is gone */
export async function updateStoredResponse(
  knex: Knex,
  {
    site,
    command,
    response,
    identifier,
  }: { site: number; command: string; response?: string | undefined; identifier?: string | undefined },
): Promise<void> {
  const change =
    response === undefined ? { claimed_until: knex.fn.now() } : { response, identifier: identifier ?? null }
  const updating = knex('stored_responses')
    .where({ site, command, user_deleted: false })
    .whereNull('response')
    .update(change)
  await translateConstraintErrors(updating, { stored_responses_user_fk: 'entity_not_found' })
}

/** The user a command created, if it did; others with the same command wait until the transaction ends. */
export async function lockCreatedUser(
  trx: Knex.Transaction,
  site: number,
  command: string,
): Promise<string | undefined> {
  const row: { created_user: string | null } | undefined = await trx('stored_responses')
    .where({ site, command })
    .forUpdate()
    .first('created_user')
  return row?.created_user ?? undefined
}

/** Removes the stored answer that shows the created user. Call it in the transaction that deletes the user. */
export async function deleteResponseOfUser(trx: Knex.Transaction, site: number, createdUser: string): Promise<void> {
  await trx('stored_responses')
    .where({ site, created_user: createdUser })
    .update({ user_deleted: true, response: null })
}

export async function updateCreatedUser(
  trx: Knex.Transaction,
  site: number,
  command: string,
  createdUser: string,
): Promise<void> {
  await trx('stored_responses').where({ site, command }).update({ created_user: createdUser })
}
