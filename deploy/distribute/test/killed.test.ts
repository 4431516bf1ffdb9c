import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Knex } from 'knex'
import { expect, test } from 'vitest'
import { previewDistribution } from '#database'
import { isCitus, nodeEnvironment, openForTest } from '#testing'
import { createUndistributedDatabase, fillDatabase, requireDistribution } from './undistributed-database.ts'

/** Runs `npm run distribute`. */
function runDistribute(url: string) {
  const args = ['deploy/distribute/run.ts', '--database', url, '--service', 'identity']
  return spawn(process.execPath, args, { env: nodeEnvironment, stdio: 'ignore' })
}

/** Other connections to the database that are in a transaction, and whether they wait for the lock of a table. */
async function listOthers(knex: Knex): Promise<{ is_waiting: boolean }[]> {
  return await knex('pg_stat_activity')
    .whereRaw(`datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`)
    .where({ application_name: '' })
    .whereNot({ state: 'idle' })
    .select(knex.raw(`coalesce(wait_event_type = 'Lock', false) and query not like '%advisory%' as is_waiting`))
}

/** Each takes a share of the tables, because each table takes a run. */
const parts = [1, 2, 3, 4]

test.runIf(isCitus).each(parts)(
  'a filled database whose distribution is killed at a table has all rows, and is distributed by the next run (part %i)',
  async (part) => {
    const { url, owner } = await createUndistributedDatabase('identity')
    const distribution = requireDistribution(owner)
    await using database = openForTest(url)
    await using holder = openForTest(url)
    const { knex } = database
    const { countRows } = await fillDatabase(knex)
    const before = await countRows()
    const plan = await previewDistribution(url, distribution)
    const tables = [...plan.reference, ...plan.distributed, ...plan.unmanaged]
    for (const table of tables.filter((_, index) => index % parts.length === part - 1)) {
      const held = await holder.knex.transaction()
      await held.raw('lock table ?? in row exclusive mode', [table])
      const run = runDistribute(url)
      const ended = once(run, 'exit')
      await expect.poll(async () => (await listOthers(knex)).some(({ is_waiting }) => is_waiting)).toBe(true)
      run.kill('SIGKILL')
      await ended
      await held.rollback()
      // The server notices the end of the client after the statement.
      await expect.poll(async () => (await listOthers(knex)).length).toBe(0)
      expect(await previewDistribution(url, distribution)).toEqual(plan)
      expect(await countRows()).toEqual(before)
    }
    const [code] = await once(runDistribute(url), 'exit')
    expect(code).toBe(0)
    expect(await previewDistribution(url, distribution)).toMatchObject({
      distributed: [],
      reference: [],
      unmanaged: [],
    })
    expect(await countRows()).toEqual(before)
  },
)
