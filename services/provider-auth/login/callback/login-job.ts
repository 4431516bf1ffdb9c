import type { Knex } from 'knex'
import { decryptPayload, encryptPayload, enqueueJob, removeJob } from '#database'
import type { Deps } from '../../deps.ts'
import { SuppliedLogin } from './supplied-login.ts'

/** The job of a login that was interrupted before it was persisted. */
export const loginTask = 'complete_login'

/** Enqueues the job of a login. It starts after the request must have ended. */
export async function enqueueLoginJob(
  knex: Knex,
  supplied: SuppliedLogin,
  { encryptor }: Pick<Deps, 'encryptor'>,
): Promise<void> {
  const key = toKey(supplied)
  await enqueueJob(knex, { task: loginTask, key, payload: encryptPayload(encryptor, key, supplied) })
}

/** Removes the job, in the transaction that persists the login. @returns false if it was removed before */
export function removeLoginJob(trx: Knex.Transaction, supplied: SuppliedLogin): Promise<boolean> {
  return removeJob(trx, toKey(supplied))
}

/** @throws DecryptionError */
export async function readLoginJob(payload: unknown, { encryptor }: Pick<Deps, 'encryptor'>): Promise<SuppliedLogin> {
  return SuppliedLogin.parse(await decryptPayload(encryptor, payload))
}

function toKey({ login }: SuppliedLogin): string {
  return `${loginTask}:${login}`
}
