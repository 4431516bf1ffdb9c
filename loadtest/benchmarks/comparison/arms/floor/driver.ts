import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { GeneratorReport } from '../../generator/protocol.ts'
import { createRecorder } from '../../generator/recorder.ts'
import { reportServing } from '../environment.ts'

/** The load that a process puts on itself. */
export const DriverCommand = z.object({
  in_flight: z.int().min(1),
  lead_ms: z.number(),
  duration_ms: z.number(),
})
export type DriverCommand = z.infer<typeof DriverCommand>

/** Repeats an operation at the parent's command, with several in flight, and reports as the load generator does. */
export function driveOperation(operation: (n: number) => Promise<unknown>): void {
  const report = (message: GeneratorReport) => process.send?.(message)
  const run = async ({ in_flight, lead_ms, duration_ms }: DriverCommand) => {
    const recorder = createRecorder(() => report({ type: 'counting' }))
    let stopped = false
    let next = 0
    const loop = async () => {
      while (!stopped) {
        const beganAt = performance.now()
        await operation(next++)
        recorder.record(beganAt, 'call')
      }
    }
    const timing = async () => {
      await delay(lead_ms)
      recorder.start()
      await delay(duration_ms)
      stopped = true
    }
    await Promise.all([timing(), ...Array.from({ length: in_flight }, loop)])
    report({ type: 'done', result: recorder.finish() })
  }
  process.on('message', (message) => {
    run(DriverCommand.parse(message)).catch((error: unknown) => report({ type: 'failed', reason: String(error) }))
  })
  reportServing()
}
