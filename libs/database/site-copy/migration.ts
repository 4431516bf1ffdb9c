import type { Migration } from '../migrate.ts'
import { createFreezes } from '../site-freeze.ts'
import { createCopies } from './copies.ts'

/** Creates what moves of sites need in the database of a service. */
export function siteFreezesMigration(name: string): Migration {
  return {
    name,
    async up(knex) {
      await createFreezes(knex)
      await createCopies(knex)
    },
  }
}
