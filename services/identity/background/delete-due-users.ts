import { newCall } from '#bus'
import { deriveUuid, type Logger, repeatInBackground } from '#runtime'
import type { Deps } from '../deps.ts'
import { deleteDueUser } from '../handlers/delete-user.ts'
import { listDueUserDeletions } from '../store/user-deletions.ts'

/** Pause between looks for users whose deletion is due. Our choice. */
const intervalMs = 5_000
/** Users that one look deletes. Our choice. */
const batchSize = 100

/**
 * Deletes users whose requested or announced deletion is due, until disposed. Replicas can delete the same user at the same
 * time: the command of both is derived from the request.
 */
export function startDeletingDueUsers(deps: Deps & { readonly logger: Logger }): Disposable {
  return repeatInBackground(() => deleteDueUsers(deps), {
    intervalMs,
    logger: deps.logger,
    failure: 'users whose deletion is due not deleted; retrying',
  })
}

async function deleteDueUsers(deps: Deps): Promise<void> {
  for (;;) {
    const due = await listDueUserDeletions(deps.knex, batchSize)
    for (const { site, identifier, requested_at } of due) {
      const command = deriveUuid(`deletion of ${site} ${identifier} ${requested_at.getTime()}`)
      await deleteDueUser({ site, identifier, command }, deps, newCall())
    }
    if (due.length < batchSize) return
  }
}
