import { createPaths } from '../../../deploy/local/paths.ts'
import type { FaultPart } from '../part.ts'
import { startReplicatedStack } from '../replicas/replicated-stack.ts'
import { dependencyFaults } from './dependency-faults.ts'
import { edgeFaults, processFaultVariables } from './edge-faults.ts'
import { runFaults } from './run-faults.ts'
import { mountSmallDisk } from './small-disk.ts'

const explanation =
  'A fault whose name ends with `_for_one`, `_half_open` or a service must be overcome while it lasts; its time to recover counts from its beginning.'

/** Servers and networks that fail under traffic, with several processes of each service. */
export const dependencies: FaultPart = {
  name: 'dependencies',
  description: 'makes Postgres, NATS, Redis, processes and login providers fail under traffic',
  cases: dependencyFaults.map(({ name }) => name),
  core: [],
  async run(options) {
    await using stack = await startReplicatedStack(options.directory, options)
    return await runFaults({ title: 'Dependencies', explanation }, dependencyFaults, { stack, options })
  },
}

/** Limits of machines that the product meets under traffic. */
export const edges: FaultPart = {
  name: 'edges',
  description:
    'fills the disk, uses up connections, sets clocks, stalls event loops and leaves 100,000 jobs, under traffic',
  cases: edgeFaults.map(({ name }) => name),
  core: [],
  async run(options) {
    const paths = createPaths(options.directory)
    using _disk = mountSmallDisk(paths.postgres)
    await using stack = await startReplicatedStack(options.directory, {
      ...options,
      environmentOf: () => processFaultVariables(paths),
    })
    return await runFaults({ title: 'Edges', explanation }, edgeFaults, { stack, options })
  },
}
