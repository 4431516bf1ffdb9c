import type { Knex } from 'knex'
import type { Call } from '#bus'
import { type DataService, DeletedLinks, type ErasedCounts } from '#contracts'
import { confirmErasurePart, insertErasurePart } from './store/erasures.ts'

/** In a message about a deleted user: which deletion it is a part of. */
export const erasureField = { erasure: DeletedLinks.omit({ site: true }).optional() }

interface ErasureMessage {
  readonly site: number
  readonly erasure?: Omit<DeletedLinks, 'site'> | undefined
}

/**
 * Returns the delivery of a deletion to a service. If a user is deleted, the numbers of records are stored before they are deleted,
 * so that they are true after a crash at any point and after repeats.
 */
export function eraseAndConfirm<I extends { readonly site: number }>(
  service: DataService,
  prepareErasure: (deleted: DeletedLinks, call: Call) => Promise<{ readonly deleted: ErasedCounts }>,
  deleteLinks: (input: I, call: Call) => Promise<unknown>,
  knex: Knex,
): (message: I & ErasureMessage, call: Call) => Promise<void> {
  return async (message, call) => {
    const { site, erasure } = message
    if (erasure === undefined) return void (await deleteLinks(message, call))
    const { identifier, link_ids, deleted_at } = erasure
    const key = { site, identifier, deleted_at: new Date(deleted_at) }
    const prepared = await prepareErasure({ site, identifier, link_ids, deleted_at }, call)
    await insertErasurePart(knex, key, service, prepared.deleted)
    await deleteLinks(message, call)
    await confirmErasurePart(knex, key, service)
  }
}
