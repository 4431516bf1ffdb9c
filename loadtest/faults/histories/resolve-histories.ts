import { hashSecret } from '#runtime'
import { readRows } from '../read-rows.ts'
import type { Databases } from '../stack.ts'
import type { History, RecordedOperation } from './history.ts'
import type { UnresolvedHistory, UnresolvedOperation } from './run-history.ts'

const entityNotFound = 7

/**
 * Adds the users whose creation was not answered, as identity stored them, and removes operations that certainly had no
 * effect: reads without an answer, and creations that are not stored.
 */
export async function resolveHistories(
  databases: Databases,
  histories: readonly UnresolvedHistory[],
): Promise<readonly History[]> {
  const keys = histories
    .flatMap(({ operations }) => operations)
    .flatMap(({ idempotencyKey }) => (idempotencyKey === undefined ? [] : [idempotencyKey]))
  const rows = await readRows<{ idempotency_key: string; created: string }>(
    databases.identity,
    `select idempotency_key, created from stored_responses join commands using (command)
     where idempotency_key = any(?) and rejection is null`,
    [keys.map(hashSecret)],
  )
  const created = new Map(rows.map((row) => [row.idempotency_key, row.created]))
  return histories.map(({ seed, operations }) => ({
    seed,
    operations: operations.flatMap((operation) => resolve(operation, created)),
  }))
}

function resolve(
  { idempotencyKey, ms: _, ...operation }: UnresolvedOperation,
  created: ReadonlyMap<string, string>,
): readonly RecordedOperation[] {
  const { input, output } = operation
  if (input.operation === 'user_attribute') return output === undefined ? [] : [operation]
  if (input.operation !== 'create_user' || idempotencyKey === undefined) return [operation]
  // The repeat of a creation whose user was deleted meanwhile.
  const isGone = output?.code === entityNotFound
  if (output !== undefined && !isGone) return [operation]
  const identifier = created.get(hashSecret(idempotencyKey))
  if (identifier === undefined) return []
  return [{ ...operation, input: { ...input, user: { identifier, primary_key: '' } }, output: { code: 0 } }]
}
