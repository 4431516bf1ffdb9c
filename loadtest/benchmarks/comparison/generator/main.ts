import { createLoginSender } from './login-sender.ts'
import { GeneratorCommand, type GeneratorReport } from './protocol.ts'
import { createRequestSender } from './request-sender.ts'
import { type CreateSender, runLoad } from './run-load.ts'

/** The process that generates the load. Its CPU time belongs to no arm. */
const workloads = new Map<string, CreateSender>()

const report = (message: GeneratorReport) => process.send?.(message)

process.on('message', async (message) => {
  try {
    const command = GeneratorCommand.parse(message)
    if (command.type === 'run') {
      const createSender = workloads.get(command.workload)
      if (createSender === undefined) throw new Error(`There is no workload ${command.workload}.`)
      report({ type: 'done', result: await runLoad(createSender, command.shape, () => report({ type: 'counting' })) })
      return
    }
    const sender = command.type === 'logins' ? createLoginSender(command.target) : createRequestSender(command.groups)
    workloads.set(command.name, sender)
    report({ type: 'ready' })
  } catch (error) {
    report({ type: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
process.on('disconnect', () => process.exit())
report({ type: 'ready' })
