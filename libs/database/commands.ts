import type { Knex } from 'knex'
import { limits } from '#contracts'
import { transaction } from './transaction.ts'

/**
 * The commands that took effect, as long as their requests can be repeated. Callers name a command by an ID, so that they
 * can repeat it when they got no answer.
 */
export const commandsTable = `
      create table commands (
        command uuid constraint commands_pk primary key,
        -- What the command created, if a repeat must find it.
        created text collate "C",
        expires_at timestamptz not null
      );
      create index commands_expiring on commands (expires_at);
`

/** A command, and what it creates. */
export interface Command {
  readonly command: string
  readonly created?: string
}

/**
 * Runs a command once: it is stored in the transaction of its effect. A concurrent repeat waits for that transaction. A
 * command that throws is not stored.
 *
 * @param repeat returns the result for a command that already took effect
 */
export function runCommand<T>(
  knex: Knex,
  { command, created }: Command,
  run: (trx: Knex.Transaction) => Promise<T>,
  repeat: (trx: Knex.Transaction, created: string | null) => T | Promise<T>,
): Promise<T> {
  return transaction(knex, async (trx) => {
    const { rowCount } = await trx.raw<{ rowCount: number }>(
      `insert into commands (command, created, expires_at) values (?, ?, now() + make_interval(secs => ?))
       on conflict do nothing`,
      [command, created ?? null, limits.stored_response_seconds],
    )
    if (rowCount === 1) return run(trx)
    const stored: { created: string | null } | undefined = await trx('commands').where({ command }).first('created')
    // It expired and was deleted in between.
    if (stored === undefined) throw new Error('The repeated command is no longer stored.')
    return repeat(trx, stored.created)
  })
}

/** Whether a command took effect. */
export async function isCommandStored(knex: Knex, command: string): Promise<boolean> {
  return (await knex('commands').where({ command }).first('command')) !== undefined
}

/** Deletes expired commands, skipping those that another replica deletes. */
export async function deleteExpiredCommands(knex: Knex): Promise<void> {
  await knex.raw(
    'delete from commands where command in (select command from commands where expires_at <= now() for update skip locked)',
  )
}
