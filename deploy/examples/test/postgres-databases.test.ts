import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { openDatabase, sessionLimits } from '#database'
import { requireProgram } from '#local'
import { createLogger } from '#runtime'
import { nodeEnvironment } from '#testing'
import { databaseOwners } from '../../local/database-owners.ts'

const run = promisify(execFile)
const logger = createLogger('test', 'silent')

/** Runs the script as its first lines describe, and returns the URLs of the two roles. */
async function makeDatabase(service: string): Promise<{ owner: string; own: string }> {
  const { path } = await requireProgram('postgres')
  const psql = join(dirname(await realpath(path)), 'psql')
  const superuser = inject('postgres_url')
  const name = `${service.replaceAll('-', '_')}_${randomBytes(4).toString('hex')}`
  const variables = { name, password: 'own', owner_password: 'owner' }
  const given = Object.entries(variables).flatMap(([variable, value]) => ['--set', `${variable}=${value}`])
  await run(psql, [superuser, ...given, '--file', 'deploy/examples/postgres-databases.sql'])
  const addressOf = (username: string, password: string) =>
    Object.assign(new URL(superuser), { username, password, pathname: `/${name}` }).href
  return { owner: addressOf(`${name}_owner`, 'owner'), own: addressOf(name, 'own') }
}

test.each(databaseOwners)(
  'the database of $name: the owner migrates, and the other role can do everything a service does except change the schema',
  async ({ name }) => {
    const { owner, own } = await makeDatabase(name)
    await run(process.execPath, [`services/${name}/migrate.ts`], {
      env: { ...nodeEnvironment, DATABASE_URL: owner },
    })
    await using database = await openDatabase({ DATABASE_URL: own }, { name: 'test', logger })
    const { knex } = database

    const outOfReach = await knex('pg_tables')
      .where('schemaname', 'public')
      .whereRaw(
        `exists (select from unnest(array['select', 'insert', 'update', 'delete']) as privilege
        where not has_table_privilege(format('%I.%I', schemaname, tablename), privilege))`,
      )
      .pluck('tablename')
    expect(outOfReach).toEqual([])

    const limits = await knex('pg_roles').whereRaw('rolname = current_user').first('rolconfig')
    expect(limits?.rolconfig).toEqual(Object.entries(sessionLimits).map(([limit, ms]) => `${limit}=${ms}`))

    await expect(knex.raw('create table more (id int)')).rejects.toMatchObject({ code: '42501' })

    if (name === 'console') return
    // Triggers that only the owner can create.
    const [table] = await knex('information_schema.columns').where({ column_name: 'site' }).pluck('table_name')
    const triggers = () => knex('pg_trigger').whereRaw('tgrelid = ?::regclass and tgname like ?', [table, 'frozen%'])
    await knex.raw('select freeze_rows(7, ?, ?, ?)', [table, 'always', ''])
    expect(await triggers()).toHaveLength(2)
    await knex.raw('select thaw_rows(7, ?)', [table])
    expect(await triggers()).toEqual([])
  },
)
