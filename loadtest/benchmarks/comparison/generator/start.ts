import { startBenchProcess } from '../child.ts'
import {
  type GeneratorCommand,
  GeneratorReport,
  type LoadRequest,
  type LoadResult,
  type LoadShape,
  type LoginTarget,
} from './protocol.ts'

/** The load generator in its own process. */
export interface GeneratorProcess extends AsyncDisposable {
  /** Stores requests under a name: a list for each customer. */
  readonly prepare: (workload: string, groups: readonly (readonly LoadRequest[])[]) => Promise<void>
  /** Stores logins under a name: each counts as one request. */
  readonly prepareLogins: (workload: string, target: LoginTarget) => Promise<void>
  /** @throws if a response is not the expected one */
  readonly run: (workload: string, shape: LoadShape, onCounting: () => void) => Promise<LoadResult>
}

export async function startGenerator(log: string): Promise<GeneratorProcess> {
  const child = startBenchProcess({ script: 'generator/main.ts', log })
  const send = (command: GeneratorCommand) => child.send(command)
  const receive = async () => {
    const report = GeneratorReport.parse(await child.receive())
    if (report.type === 'failed') throw new Error(report.reason)
    return report
  }
  await receive()
  return {
    async prepare(workload, groups) {
      send({ type: 'workload', name: workload, groups: groups.map((group) => [...group]) })
      await receive()
    },
    async prepareLogins(workload, target) {
      send({ type: 'logins', name: workload, target })
      await receive()
    },
    async run(workload, shape, onCounting) {
      send({ type: 'run', workload, shape })
      for (;;) {
        const report = await receive()
        if (report.type === 'counting') onCounting()
        if (report.type === 'done') return report.result
      }
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}
