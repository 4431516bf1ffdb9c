import { startCleanup } from '#runtime'
import type { Deps } from '../deps.ts'
import { deleteOldImports } from '../store/imports.ts'

/** Deletes imports that no longer need to be listed regularly, until disposed. */
export function startImportCleanup({
  knex,
  now,
  ...parts
}: Pick<Deps, 'knex' | 'now' | 'logger' | 'registry'>): Disposable {
  return startCleanup('imports', () => deleteOldImports(knex, now()), parts)
}
