import type { Knex } from 'knex'
import { limits } from '#contracts'
import { translateConstraintErrors } from '#database'

/** A request a customer may repeat: the hashes of its `Idempotency-Key` and of what it asks. */
export interface RepeatableRequest {
  readonly site: number
  readonly idempotency_key: string
  readonly request: string
}

export interface AnswerRow {
  readonly request: string
  readonly answer: string | null
  /** The user that the request created is deleted. */
  readonly user_deleted: boolean
}

/** How long who began a request has it alone: longer than a request may take. Our choice. */
const claimSeconds = (2 * limits.web_api_deadline_ms) / 1_000
const sweptAtOnce = 10

/**
 * Claims the request unless its answer is there or somebody else has it; one begun before keeps its command.
 *
 * @returns the command, undefined when the request was not to be had
 */
export async function claimAnswer(
  knex: Knex,
  { site, idempotency_key, request }: RepeatableRequest,
  newCommand: string,
): Promise<string | undefined> {
  const { rows } = await knex.raw<{ rows: { command: string }[] }>(
    `insert into answers as known (site, idempotency_key, request, command, claimed_until, expires_at)
     values (:site, :idempotency_key, :request, :new_command,
             now() + make_interval(secs => :claim_seconds), now() + make_interval(secs => :kept_seconds))
     on conflict (site, idempotency_key) do update set claimed_until = excluded.claimed_until
     where known.answer is null and not known.user_deleted
       and known.request = excluded.request and known.claimed_until <= now()
     returning command`,
    {
      site,
      idempotency_key,
      request,
      new_command: newCommand,
      claim_seconds: claimSeconds,
      kept_seconds: limits.kept_answer_seconds,
    },
  )
  return rows[0]?.command
}

export async function findAnswer(
  knex: Knex,
  { site, idempotency_key }: RepeatableRequest,
): Promise<AnswerRow | undefined> {
  return knex('answers').where({ site, idempotency_key }).first('request', 'answer', 'user_deleted')
}

/** Removes the request's record when it is past its time, and some others, so that every claim clears more than it adds. */
export async function deleteExpiredAnswers(knex: Knex, { site, idempotency_key }: RepeatableRequest): Promise<void> {
  await knex('answers').where({ site, idempotency_key }).whereRaw('expires_at <= now()').delete()
  // Waits for nobody, so that two who sweep do not wait for each other.
  await knex.raw(
    `delete from answers where command in (
       select command from answers where expires_at <= now() order by expires_at limit ? for update skip locked
     )`,
    [sweptAtOnce],
  )
}

/** Keeps the answer; without one, ends the claim. @throws Fault `entity_not_found`: the user it is about is gone */
export async function updateAnswer(
  knex: Knex,
  {
    site,
    command,
    answer,
    about,
  }: { site: number; command: string; answer?: string | undefined; about?: string | undefined },
): Promise<void> {
  const change = answer === undefined ? { claimed_until: knex.fn.now() } : { answer, about: about ?? null }
  const updating = knex('answers').where({ site, command, user_deleted: false }).whereNull('answer').update(change)
  await translateConstraintErrors(updating, { answers_about_fk: 'entity_not_found' })
}

/** The user a command created, if it did; others with the same command wait until the transaction ends. */
export async function lockCreatedUser(
  trx: Knex.Transaction,
  site: number,
  command: string,
): Promise<string | undefined> {
  const row: { created_user: string | null } | undefined = await trx('answers')
    .where({ site, command })
    .forUpdate()
    .first('created_user')
  return row?.created_user ?? undefined
}

/** Removes the stored answer that shows the created user. Call it in the transaction that deletes the user. */
export async function forgetCreatedUser(trx: Knex.Transaction, site: number, createdUser: string): Promise<void> {
  await trx('answers').where({ site, created_user: createdUser }).update({ user_deleted: true, answer: null })
}

export async function updateCreatedUser(
  trx: Knex.Transaction,
  site: number,
  command: string,
  createdUser: string,
): Promise<void> {
  await trx('answers').where({ site, command }).update({ created_user: createdUser })
}
