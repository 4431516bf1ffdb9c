import type { z } from 'zod'
import { GeneratorCommand, type GeneratorReport, type LoadGroup } from './protocol.ts'
import { runLoad } from './run-load.ts'

/** The process that generates the load. Its CPU time belongs to no arm. */
const workloads = new Map<string, readonly z.output<typeof LoadGroup>[]>()

const report = (message: GeneratorReport) => process.send?.(message)

process.on('message', async (message) => {
  try {
    const command = GeneratorCommand.parse(message)
    if (command.type === 'workload') {
      workloads.set(command.name, command.groups)
      report({ type: 'ready' })
      return
    }
    const groups = workloads.get(command.workload)
    if (groups === undefined) throw new Error(`There is no workload ${command.workload}.`)
    report({ type: 'done', result: await runLoad(groups, command.shape, () => report({ type: 'counting' })) })
  } catch (error) {
    report({ type: 'failed', reason: error instanceof Error ? error.message : String(error) })
  }
})
process.on('disconnect', () => process.exit())
report({ type: 'ready' })
