import { join } from 'node:path'
import { findVersionWithoutCitus } from '../../../testing/citus.ts'
import { runFaults } from '../dependencies/run-faults.ts'
import type { FaultPart, PartOptions, PartReport } from '../part.ts'
import { citusFaults } from './citus-faults.ts'
import { startCitusStack } from './citus-stack.ts'

const title = 'Citus'

const explanation = [
  'The databases are distributed by site over two workers. The shards of the site move to the other worker, one database after another, with `citus_move_shard_placement`;',
  'no request and no login may fail, and the time to recover counts from the end of the moves.',
  'Or the worker with the users of the site, or the coordinator, is killed or stopped for 15 s; all effects that were answered must be stored, and the time to recover counts from its return.',
].join(' ')

/** A site that moves between workers of Citus while it is used. */
export const citus: FaultPart = {
  name: 'citus',
  description:
    'moves a site between workers of Citus, and ends its servers, under traffic, if PostgreSQL has the extension',
  cases: citusFaults.map(({ name }) => name),
  core: [],
  run,
}

async function run(options: PartOptions): Promise<PartReport> {
  const version = await findVersionWithoutCitus(join(options.directory, 'check'))
  if (version !== undefined) {
    const reason = `Not run: PostgreSQL ${version} does not have the extension citus.`
    options.print(reason)
    return { text: `## ${title}\n\n${reason}`, violations: [] }
  }
  await using stack = await startCitusStack(options.directory, options)
  return await runFaults({ title, explanation }, citusFaults, { stack, options })
}
