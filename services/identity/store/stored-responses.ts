import type { Knex } from 'knex'
import { limits } from '#contracts'
import { defineStatement, sweepRows, translateConstraintErrors } from '#database'

/** An idempotent request: the hashes of its `Idempotency-Key` and of operation and parameters. */
export interface IdempotentRequest {
  readonly site: number
  readonly idempotency_key: string
  readonly request: string
  /** Its command, unless it was claimed for another one before. */
  readonly command: string
}

export interface StoredResponseRow {
  readonly request: string
  readonly response: string | null
}

/**
 * Claims the request, unless it has a stored response or an active claim. A request whose claim ended keeps its command. Another
 * attempt of the active claim gets the same answer; one that arrives after its end does not claim again.
 *
 * @param forMs how long the claim is exclusive
 * @returns the command; undefined if the request could not be claimed
 */
export async function insertClaim(
  knex: Knex,
  { site, idempotency_key, request, command }: IdempotentRequest,
  forMs: number,
): Promise<string | undefined> {
  const { rows } = await knex.raw<{ rows: { command: string }[] }>(
    `insert into stored_responses as stored
       (site, idempotency_key, request, command, claimed_by, claimed_until, expires_at)
     values (:site, :idempotency_key, :request, :command, :command,
             now() + make_interval(secs => :claim_seconds), now() + make_interval(secs => :stored_seconds))
     on conflict (site, idempotency_key) do update
     set claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until
     where stored.response is null and stored.request = excluded.request
       -- The claim that is stored ends later than now. A distributed table cannot compare it with now() here.
       and (stored.claimed_by is not distinct from excluded.claimed_by)
         = (stored.claimed_until - excluded.claimed_until > make_interval(secs => -(:claim_seconds::float8)))
     returning command`,
    {
      site,
      idempotency_key,
      request,
      command,
      claim_seconds: forMs / 1_000,
      stored_seconds: limits.stored_response_seconds,
    },
  )
  return rows[0]?.command
}

export async function findStoredResponse(
  knex: Knex,
  { site, idempotency_key }: IdempotentRequest,
): Promise<StoredResponseRow | undefined> {
  return knex('stored_responses').where({ site, idempotency_key }).first('request', 'response')
}

/** Deletes the request's row if it is expired. */
export async function deleteExpiredResponse(knex: Knex, { site, idempotency_key }: IdempotentRequest): Promise<void> {
  await knex('stored_responses').where({ site, idempotency_key }).whereRaw('expires_at <= now()').delete()
}

/** Deletes expired rows of all sites. */
export async function deleteExpiredResponses(knex: Knex): Promise<void> {
  await sweepRows(knex, {
    table: 'stored_responses',
    key: ['site', 'idempotency_key'],
    condition: 'expires_at <= now()',
  })
}

/** Stores the response; without one, ends the claim. @throws Fault `entity_not_found`: its user is deleted */
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
  const updating = knex('stored_responses').where({ site, command }).whereNull('response').update(change)
  await translateConstraintErrors(updating, { stored_responses_user_fk: 'entity_not_found' })
}

const deleteOfUser = defineStatement(
  `update stored_responses set response = null, identifier = null, claimed_until = now()
   where site = $1 and identifier = $2`,
)

/**
 * Deletes the stored responses that show a user. A repeat runs the request again under the same command. Call it in the
 * transaction that deletes the user, which must be locked for update.
 */
export async function deleteResponsesOfUser(
  trx: Knex.Transaction,
  { site, identifier }: { site: number; identifier: string },
): Promise<void> {
  await deleteOfUser(trx, [site, identifier])
}
