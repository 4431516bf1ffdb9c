import { runFaults } from '../dependencies/run-faults.ts'
import type { FaultPart, PartOptions, PartReport } from '../part.ts'
import { readReplicaFaults } from './read-replica-faults.ts'
import { startReadReplicaStack } from './read-replica-stack.ts'

const explanation = [
  'Identity and profile read lists of users from a replica, in the Web API and in the console.',
  'The replica is killed, stopped, or no longer replays changes, so that it is older than five seconds.',
  'No request and no login may fail, and each process must use the replica again afterwards.',
].join(' ')

/** A read replica that fails or lags under traffic. */
export const readReplicas: FaultPart = {
  name: 'read-replicas',
  description: 'makes a read replica fail and lag under traffic',
  cases: readReplicaFaults.map(({ name }) => name),
  core: [],
  run,
}

async function run(options: PartOptions): Promise<PartReport> {
  await using stack = await startReadReplicaStack(options.directory, options)
  const description = { title: 'Read replicas', explanation, readsLists: true }
  return await runFaults(description, readReplicaFaults, { stack, options })
}
