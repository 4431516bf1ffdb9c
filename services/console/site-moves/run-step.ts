import { type CopyingService, copyingServices, type ReceivedSiteEvent } from '#admin-api'
import { newCall } from '#bus'
import { transaction } from '#database'
import type { Deps } from '../deps.ts'
import { addSeconds } from '../domain/time.ts'
import { insertApprovedDeletion } from '../store/site-deletion-requests.ts'
import { type MoveChanges, type SiteMoveRow, updateSiteMove } from '../store/site-moves.ts'
import { createLocalCell, createRemoteCell } from './cell.ts'
import { type Copy, copyNextRanges, copyQueues, type SiteInCell } from './copy-table.ts'
import { tokenContextOf } from './token.ts'

/** How long one step copies before its progress is stored. Our choice. */
const copyMs = 1_000
/** When the site is frozen: a round found so few parts, or so many rounds were made. Our choices. */
const fewParts = 20
const mostRounds = 6
/** After this time, every gateway of the other cell knows the keys of the site. Our choice: more than their heartbeat. */
const forwardSeconds = 3

/** The two cells of a move, and who is who in its direction. */
interface Cells extends Copy {
  readonly here: SiteInCell
  readonly there: SiteInCell
  /** Records in the audit trail of the other cell how far the move is. Idempotent. */
  readonly recordReceived: (event: ReceivedSiteEvent) => Promise<void>
}

type MoveDeps = Pick<Deps, CopyingService | 'knex' | 'encryptor' | 'consoleUrl' | 'now'>

/** Does the next step of a move. */
export async function runMoveStep(move: SiteMoveRow, deps: MoveDeps): Promise<void> {
  const change = await runState(move, deps)
  if (change !== undefined) await updateSiteMove(deps.knex, move, { error: null, next_step_at: deps.now(), ...change })
}

async function runState(move: SiteMoveRow, deps: MoveDeps): Promise<MoveChanges | undefined> {
  const { now } = deps
  switch (move.state) {
    case 'copying':
    case 'finishing':
      return copySome(move, deps)
    case 'freezing': {
      const { from } = await openCells(move, deps)
      const claim = claimOf(move, move.direction === 'out' ? 'here' : 'there')
      for (const service of copyingServices) await from.cell.run(service, 'freezeSite', { site: from.site, claim })
      const start = startRound(move)
      return { state: 'finishing', frozen_at: now(), ...start, frozen_round: start.round }
    }
    case 'switching':
      await switchCells(move, await openCells(move, deps))
      return move.direction === 'out'
        ? { state: 'forwarding', switched_at: now(), next_step_at: addSeconds(now(), forwardSeconds) }
        : { state: 'rolled_back', ...end(now()) }
    case 'forwarding': {
      const forwarding = { serving: 'moved' as const, moved_to: move.moved_to, order: orderOf(move, 3) }
      await deps.identity.changeSiteServing({ site: move.site, ...forwarding }, newCall())
      return { next_step_at: null }
    }
    case 'canceling': {
      const { here } = await openCells(move, deps)
      for (const service of copyingServices)
        await here.cell.run(service, 'thawSite', { site: here.site, claim: claimOf(move, 'here') })
      return { state: 'canceled', ...end(now()) }
    }
    case 'committing':
      await closeHere(move, deps)
      return undefined
    default:
      return { next_step_at: null }
  }
}

/** No table is copied, or the first one is next. */
const noTable = { service: null, table_name: null, position: '' } as const

const end = (now: Date) => ({
  ended_at: now,
  token_encrypted: null,
  next_step_at: null,
  ...noTable,
})

function startRound({ round, parts_now }: SiteMoveRow) {
  return { round: round + 1, parts_before: parts_now, parts_now: 0, ...noTable }
}

/** A freeze of a move, unique to the cell and the direction: it is never thawed by another one. */
function claimOf({ move_id, direction }: SiteMoveRow, cell: 'here' | 'there'): string {
  return cell === 'here' ? `${move_id} here` : `${move_id} there ${direction}`
}

/** Connects to the cells. In the other one, the site is created first. */
async function openCells(move: SiteMoveRow, deps: MoveDeps): Promise<Cells> {
  const { account, site_id, site, target_url, token_encrypted, move_id, direction } = move
  if (token_encrypted === null) throw new Error('The token of the other cell is deleted: the move has ended.')
  const token = await deps.encryptor.decrypt(token_encrypted, tokenContextOf(move_id))
  const remote = createRemoteCell({ url: target_url, token })
  const recordReceived = (event: ReceivedSiteEvent) => {
    const by = event === 'returned' && move.ended_by !== null ? move.ended_by : move.requested_by
    return remote.recordReceived({ account, site_id, move_id, event, source_url: deps.consoleUrl, by })
  }
  const createSite = async () => {
    const creating = { account: { account, name: account }, site_id }
    const created = await remote.run('identity', 'createArrivingSite', creating)
    await recordReceived('started')
    return created.site
  }
  const targetSite = move.target_site ?? (await createSite())
  const here: SiteInCell = { cell: createLocalCell(deps), site }
  const there: SiteInCell = { cell: remote, site: targetSite }
  return {
    here,
    there,
    recordReceived,
    from: direction === 'out' ? here : there,
    to: direction === 'out' ? there : here,
  }
}

/**
 * Copies for a moment, from table to table. After the freeze, one round compares every row, and later ones copy what it has left: rows that
 * were in the way of others, or that refer to others.
 */
async function copySome(move: SiteMoveRow, deps: MoveDeps): Promise<MoveChanges> {
  const cells = await openCells(move, deps)
  const { from, to, there } = cells
  const service = move.service ?? copyingServices[0]
  const claim = claimOf(move, move.direction === 'out' ? 'there' : 'here')
  const { tables, queues, public_key } = await to.cell.run(service, 'beginSiteCopy', { site: to.site, claim })
  const incomplete = move.state === 'finishing' && move.frozen_round !== null && move.round > move.frozen_round
  const endsAt = performance.now() + copyMs
  let [place, position] = [move.table_name === null ? 0 : tables.indexOf(move.table_name), move.position]
  let { rows_sent, parts_now } = move
  while (performance.now() < endsAt && place < tables.length) {
    const table = tables[place] ?? ''
    const start = { service, table, position, incomplete, publicKey: public_key }
    const progress = await copyNextRanges({ from, to }, start)
    rows_sent += progress.rows
    parts_now += progress.parts
    position = progress.position ?? ''
    if (progress.position === null) place++
  }
  const progress = { target_site: there.site, rows_sent, parts_now }
  const table = tables[place]
  if (table !== undefined) return { ...progress, service, table_name: table, position }
  if (move.state === 'finishing') await copyQueues({ from, to }, service, { publicKey: public_key, queues })
  const next = copyingServices[copyingServices.indexOf(service) + 1]
  if (next !== undefined) return { ...progress, service: next, table_name: null, position: '' }
  return { ...progress, ...endRound({ ...move, rows_sent, parts_now }) }
}

function endRound(move: SiteMoveRow): MoveChanges {
  const { state, round, parts_now } = move
  if (state === 'finishing') return parts_now === 0 ? { state: 'switching', ...noTable } : startRound(move)
  return parts_now <= fewParts || round >= mostRounds ? { state: 'freezing' } : startRound(move)
}

/** The place of a change among those of all moves of the site. */
function orderOf({ requested_at }: SiteMoveRow, step: number): number {
  return Math.floor(requested_at.getTime() / 1_000) * 10 + step
}

/**
 * The cell that served the site ends before the other begins. Both are frozen until then, and a repeat of any of these calls has no
 * further effect.
 */
async function switchCells(move: SiteMoveRow, { from, to, here, recordReceived }: Cells): Promise<void> {
  const isOut = move.direction === 'out'
  // What is not served by either cell gets 503. After a return, the other cell keeps its copy, unserved, for a later move.
  const ending = { serving: isOut ? ('moved' as const) : ('arriving' as const), moved_to: null }
  await from.cell.run('identity', 'changeSiteServing', {
    site: from.site,
    ...ending,
    order: orderOf(move, isOut ? 1 : 4),
  })
  const freeze = { site: from.site, claim: claimOf(move, isOut ? 'here' : 'there') }
  await from.cell.run('provider_auth', 'retireHosts', freeze)
  const claim = claimOf({ ...move, direction: 'out' }, to === here ? 'here' : 'there')
  for (const service of copyingServices) await to.cell.run(service, 'thawSite', { site: to.site, claim })
  await to.cell.run('provider_auth', 'announceHosts', { site: to.site })
  const beginning = { serving: 'here' as const, moved_to: null, order: orderOf(move, isOut ? 2 : 5) }
  await to.cell.run('identity', 'changeSiteServing', { site: to.site, ...beginning })
  await recordReceived(isOut ? 'opened' : 'returned')
  for (const service of copyingServices) await from.cell.run(service, 'deleteSiteQueues', { site: from.site })
}

/** Closes the site here for ever, allows its deletion, and leaves the rest to it (`background/delete-sites.ts`). */
async function closeHere(move: SiteMoveRow, deps: MoveDeps): Promise<void> {
  const { site } = move
  const cell = createLocalCell(deps)
  await deps.identity.closeSite({ site }, newCall())
  await deps.provider_auth.closeSite({ site }, newCall())
  for (const service of copyingServices) await cell.run(service, 'thawSite', { site, claim: claimOf(move, 'here') })
  const now = deps.now()
  await transaction(deps.knex, async (trx) => {
    await insertApprovedDeletion(trx, move, now)
    await updateSiteMove(trx, move, { state: 'committed', error: null, ...end(now) })
  })
}
