import { hash } from 'node:crypto'
import { createReason, findReasonByMessage } from '#admin-api'
import type { Call } from '#bus'
import { type ImportOutcome, toImportedUser, type UserRecord } from '#contracts'
import { transaction } from '#database'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { claimBatch, finishBatch, type ImportCounts, type RejectedLine, type StoredImport } from '../store/imports.ts'
import { checkRecords, toLineProblem } from './check-records.ts'

interface Batch {
  readonly number: number
  readonly first_line: number
  readonly records: readonly unknown[]
}

/**
 * Imports or checks a batch, and counts it once. A repeat with the same records completes what was interrupted.
 *
 * @throws AdminFault `conflict` if the import has ended, or the records differ from those that were sent before
 */
export async function receiveBatch(stored: StoredImport, batch: Batch, deps: Deps, call: Call): Promise<void> {
  const { knex, now } = deps
  const { site, import_id, conflict, dry_run } = stored
  const { number, first_line, records } = batch
  if (stored.state !== 'running') throw new AdminFault('conflict', { reason: createReason('import_not_running') })
  const key = { import_id, number }
  const content = hash('sha256', JSON.stringify([first_line, records]))
  const claimed = await claimBatch(knex, key, content)
  if (claimed.hash !== content) throw new AdminFault('conflict', { reason: createReason('import_batch_differs') })
  if (claimed.done) return

  const { providers: configured } = await deps.provider_auth.listConfiguredProviders({ site }, call)
  const { valid, rejections } = checkRecords(records, first_line, { configured, now: stored.started_at })
  const users = valid.map(({ record }) => record)
  const importUsers = async (): Promise<readonly ImportOutcome[]> => {
    if (users.length === 0) return []
    if (dry_run)
      return (await deps.identity.previewImport({ site, conflict, users: users.map(toImportedUser) }, call)).outcomes
    const command = toCommand(`${import_id} ${number}`)
    return (await deps.provider_auth.importRecords({ site, conflict, users, command }, call)).outcomes
  }
  const outcomes = await importUsers()
  const { counts, rejected } = countOutcomes(valid, outcomes)
  await transaction(knex, (trx) =>
    finishBatch(trx, key, {
      counts: { ...counts, rejected: counts.rejected + rejections.length },
      rejections: [...rejections, ...rejected].toSorted((a, b) => a.line - b.line),
      now: now(),
    }),
  )
}

function countOutcomes(
  records: readonly { readonly line: number; readonly record: UserRecord }[],
  outcomes: readonly ImportOutcome[],
): { readonly counts: ImportCounts; readonly rejected: RejectedLine[] } {
  const counts = { created: 0, merged: 0, replaced: 0, skipped: 0, rejected: 0 }
  const rejected: RejectedLine[] = []
  for (const [index, { line }] of records.entries()) {
    const outcome = outcomes[index]
    if (outcome === undefined) throw new Error('A record has no outcome.')
    counts[outcome.outcome]++
    if (outcome.outcome === 'rejected') rejected.push({ line, problems: [describeRejection(outcome)] })
  }
  return { counts, rejected }
}

function describeRejection({ reason, violation }: Extract<ImportOutcome, { outcome: 'rejected' }>) {
  const ofField = violation && findReasonByMessage(violation.reason)
  return violation === undefined || ofField === undefined
    ? toLineProblem('', createReason(reason))
    : toLineProblem(violation.field, ofField)
}

/** The command of a batch: a UUID of version 8 (RFC 9562) from a hash, so that a repeat has the same. */
function toCommand(name: string): string {
  const digits = hash('sha256', `import ${name}`)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}
