import type { Knex } from 'knex'
import { Fault, faults, isFaultName, limits, type RejectedField } from '#contracts'
import { defineStatement } from './statement.ts'
import { sweepRows } from './sweep.ts'
import { transaction } from './transaction.ts'

/**
 * The commands that took effect or were rejected, as long as their requests can be repeated. Callers name a command by an ID,
 * so that they can repeat it when they got no answer.
 */
export const commandsTable = `
      create table commands (
        site integer not null,
        command uuid not null,
        -- What the command created, if a repeat must find it.
        created text collate "C",
        -- Why it was rejected; null if it took effect.
        rejection jsonb,
        expires_at timestamptz not null,
        constraint commands_pk primary key (site, command)
      );
      create index commands_expiring on commands (expires_at);
`

/** A command on data of a site, and what it creates. */
export interface Command {
  readonly site: number
  readonly command: string
  readonly created?: string
}

interface Rejection {
  readonly fault: string
  readonly fields: readonly RejectedField[]
}

/** What became of a command. */
interface StoredCommand {
  readonly created: string | null
  readonly rejection: Rejection | null
}

/**
 * Runs a command once: it is stored in the transaction of its effect. A concurrent repeat waits for that transaction. A fault
 * with a status below 500 is stored as well: a caller that received it must not find an effect of another attempt. After
 * any other error, a repeat runs the command again.
 *
 * @param repeat returns the result for a command that already took effect
 */
export async function runCommand<T>(
  knex: Knex,
  { site, command, created }: Command,
  run: (trx: Knex.Transaction) => Promise<T>,
  repeat: (trx: Knex.Transaction, created: string | null) => T | Promise<T>,
): Promise<T> {
  const runOrRepeat = (trx: Knex.Transaction, stored: StoredCommand | undefined) => {
    if (stored === undefined) return run(trx)
    if (stored.rejection !== null) throw toFault(stored.rejection)
    return repeat(trx, stored.created)
  }
  try {
    return await transaction(knex, async (trx) =>
      runOrRepeat(trx, await storeUnlessStored(trx, { site, command, created: created ?? null, rejection: null })),
    )
  } catch (error) {
    if (!(error instanceof Fault) || faults[error.fault].status >= 500) throw error
    const { fault, fields } = error
    const stored = await storeUnlessStored(knex, { site, command, created: null, rejection: { fault, fields } })
    if (stored === undefined) throw error
    return transaction(knex, async (trx) => runOrRepeat(trx, stored))
  }
}

/**
 * The insert of a command, for a statement that has its whole effect: it returns a row unless the command is stored already.
 * Its parameters, from `$first` on, are `toCommandParameters`.
 */
export function insertOfCommand(first: number): string {
  return `insert into commands (site, command, created, expires_at)
   values ($${first}, $${first + 1}, $${first + 2}, now() + make_interval(secs => $${first + 3})) on conflict do nothing
   returning command`
}

/** The values of a command for `insertOfCommand`, in order. */
export function toCommandParameters({ site, command, created }: Command): unknown[] {
  return [site, command, created ?? null, limits.stored_response_seconds]
}

const insertCommand = defineStatement(
  `insert into commands (site, command, created, rejection, expires_at)
   values ($1, $2, $3, $4, now() + make_interval(secs => $5)) on conflict do nothing`,
)
const selectCommand = defineStatement<StoredCommand>(
  'select created, rejection from commands where site = $1 and command = $2',
)

/** Stores a command, or returns what became of it before. */
async function storeUnlessStored(
  knex: Knex,
  { site, command, created, rejection }: Pick<Command, 'site' | 'command'> & StoredCommand,
): Promise<StoredCommand | undefined> {
  const values = [site, command, created, rejection && JSON.stringify(rejection), limits.stored_response_seconds]
  if ((await insertCommand(knex, values)).rowCount === 1) return undefined
  const [stored] = (await selectCommand(knex, [site, command])).rows
  // It expired and was deleted in between.
  if (stored === undefined) throw new Error('The repeated command is no longer stored.')
  return stored
}

function toFault({ fault, fields }: Rejection): Fault {
  if (!isFaultName(fault)) throw new Error(`A command was rejected with the unknown fault ${fault}.`)
  return new Fault(fault, { fields })
}

const updateCreated = defineStatement('update commands set created = $3 where site = $1 and command = $2')

/** Stores what a running command created, in its transaction, if that is not known before. */
export async function storeCreated(
  trx: Knex.Transaction,
  { site, command }: Pick<Command, 'site' | 'command'>,
  created: string,
): Promise<void> {
  await updateCreated(trx, [site, command, created])
}

/** Whether a command took effect. */
export async function isCommandStored(
  knex: Knex,
  { site, command }: Pick<Command, 'site' | 'command'>,
): Promise<boolean> {
  return (await knex('commands').where({ site, command, rejection: null }).first('command')) !== undefined
}

/** Deletes expired commands of all sites. */
export async function deleteExpiredCommands(knex: Knex): Promise<void> {
  await sweepRows(knex, { table: 'commands', key: ['site', 'command'], condition: 'expires_at <= now()' })
}
