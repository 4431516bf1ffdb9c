import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { CopyingService, FailedStep, SiteMoveState, SiteReference } from '#admin-api'
import type { MovedTo } from '#contracts'
import { translateConstraintErrors } from '#database'

/** A move of a site to another cell. */
export interface SiteMoveRow {
  readonly move_id: string
  readonly account: string
  readonly site_id: string
  readonly site: number
  readonly target_site: number | null
  readonly target_url: string
  readonly token_encrypted: Buffer | null
  readonly moved_to: MovedTo
  readonly state: SiteMoveState
  readonly direction: 'out' | 'back'
  readonly service: CopyingService | null
  readonly table_name: string | null
  readonly position: string
  readonly round: number
  readonly rows_sent: number
  readonly parts_before: number | null
  readonly parts_now: number
  /** A `FailedStep`; a replica of an earlier build stores a sentence. */
  readonly error: string | null
  readonly requested_by: string
  /** Who committed it, canceled it or rolled it back. */
  readonly ended_by: string | null
  readonly requested_at: Date
  readonly frozen_at: Date | null
  /** The first round after the freeze. */
  readonly frozen_round: number | null
  readonly switched_at: Date | null
  readonly ended_at: Date | null
}

/** The newest move of a site. */
export async function findSiteMove(knex: Knex, { account, site_id }: SiteReference): Promise<SiteMoveRow | undefined> {
  return knex('site_moves').where({ account, site_id }).orderBy('requested_at', 'desc').first()
}

/** As `findSiteMove`; locks it until the transaction ends. */
export async function lockSiteMove(
  trx: Knex.Transaction,
  { account, site_id }: SiteReference,
): Promise<SiteMoveRow | undefined> {
  return trx('site_moves').where({ account, site_id }).orderBy('requested_at', 'desc').forUpdate().first()
}

type NewMove = Pick<
  SiteMoveRow,
  'account' | 'site_id' | 'site' | 'target_url' | 'moved_to' | 'requested_by' | 'requested_at'
>

/** @param encryptToken encrypts the token for the move with this ID. @throws Fault `already_exists` if the site moves already */
export async function insertSiteMove(
  trx: Knex.Transaction,
  { moved_to, ...move }: NewMove,
  encryptToken: (moveId: string) => Buffer,
): Promise<SiteMoveRow> {
  const moveId = randomUUID()
  const inserting = trx('site_moves')
    .insert({
      ...move,
      move_id: moveId,
      token_encrypted: encryptToken(moveId),
      moved_to: JSON.stringify(moved_to),
      state: 'copying',
      direction: 'out',
      next_step_at: move.requested_at,
    })
    .returning<SiteMoveRow[]>('*')
  const [row] = await translateConstraintErrors(inserting, { site_moves_one: 'already_exists' })
  if (row === undefined) throw new Error('The insert returned no row.')
  return row
}

export type MoveChanges = Partial<Omit<SiteMoveRow, 'move_id' | 'moved_to'>> & { readonly next_step_at?: Date | null }

/** Changes a move, unless it has gone on in the meantime. @returns undefined in that case */
export async function updateSiteMove(
  knex: Knex,
  { move_id, state, direction, position, service, table_name, round }: SiteMoveRow,
  changes: MoveChanges,
): Promise<SiteMoveRow | undefined> {
  const [row] = await knex('site_moves')
    .where({ move_id, state, direction, position, service, table_name, round })
    .update(changes)
    .returning<SiteMoveRow[]>('*')
  return row
}

/** The move whose next step is due for the longest time. */
export async function findDueMove(knex: Knex, now: Date): Promise<SiteMoveRow | undefined> {
  return knex('site_moves').where('next_step_at', '<=', now).orderBy('next_step_at').first()
}

/** Plans the next attempt of a step that failed. */
export async function postponeMove(
  knex: Knex,
  moveId: string,
  { error, next_step_at }: { readonly error: FailedStep; readonly next_step_at: Date },
): Promise<void> {
  await knex('site_moves').where({ move_id: moveId }).whereNotNull('next_step_at').update({ error, next_step_at })
}
