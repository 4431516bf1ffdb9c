import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import { inject } from 'vitest'
import { type Distribution, migrate, provisionDatabase } from '#database'
import { isCitus } from '#testing'
import { connectWorkers } from '../../../testing/citus.ts'
import { type DatabaseOwner, databaseOwners } from '../../local/database-owners.ts'

/** The services whose databases can be distributed. */
export const distributedOwners = databaseOwners.filter(({ distribution }) => distribution !== undefined)

export function requireDistribution({ name, distribution }: DatabaseOwner): Distribution {
  if (distribution === undefined) throw new Error(`${name} has no distribution.`)
  return distribution
}

/** A new migrated database of a service, which is not distributed, on each server. */
export async function createUndistributedDatabase(service: string): Promise<{ url: string; owner: DatabaseOwner }> {
  const owner = distributedOwners.find(({ name }) => name === service)
  if (owner === undefined) throw new Error(`${service} has no distribution.`)
  const role = { name: `d${randomBytes(5).toString('hex')}`, password: 'p' }
  const servers = [inject('postgres_url'), ...inject('postgres_workers')]
  for (const server of servers.slice(1)) await provisionDatabase(server, role)
  const url = await provisionDatabase(inject('postgres_url'), role)
  if (isCitus) await connectWorkers(servers, role)
  await migrate(url, owner.migrations)
  return { url, owner }
}

/** Three sites with two users each, in a database of identity. @returns how many users, links and counted users it has */
export async function fillDatabase(knex: Knex) {
  await knex('accounts').insert({ account: 'a', name: 'a' })
  const sites: { site: number }[] = await knex('sites')
    .insert([1, 2, 3].map((n) => ({ account: 'a', site_id: `s${n}`, name: 's', requests_per_window: 1, revision: n })))
    .returning('site')
  const users = sites.flatMap(({ site }) =>
    ['a', 'b'].map((name) => ({ site, identifier: `60000000${name}`, created_at: '2020-01-01T00:00:00Z' })),
  )
  await knex('users').insert(users)
  await knex('links').insert(
    users.map((user) => ({ ...user, provider: 'messaging', provider_user_id: user.identifier })),
  )
  const countRows = async () => [
    await knex('users').count({ n: '*' }),
    await knex('links').count({ n: '*' }),
    await knex('user_counts_now').where({ registration_shift: 32, login_shift: 32 }).sum({ n: 'n_all' }),
  ]
  return { users, countRows }
}
