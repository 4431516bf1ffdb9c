import { mostStepMs } from './pass-clock-steps.ts'
import { createRandom } from './random.ts'

// Loaded by every Node process of a hostile run (`--import`): its clock steps like one that is synchronized from time to time, in
// both directions. All processes step at the same time. Timers and `performance.now()` are not affected, as on a real machine.

const stepsEveryMs = 20_000

const seed = Number(process.env.HOSTILE_MACHINE_SEED)
const RealDate = Date

class SteppedDate extends RealDate {
  constructor(...given: []) {
    super(...((given.length === 0 ? [SteppedDate.now()] : given) as []))
  }

  static override now(): number {
    return RealDate.now() + offsetAt(process.hrtime.bigint())
  }
}

function offsetAt(uptime: bigint): number {
  const step = Number(uptime / 1_000_000n) / stepsEveryMs
  return Math.round(createRandom(seed + Math.floor(step))() * mostStepMs)
}

globalThis.Date = new Proxy(SteppedDate, { apply: () => new SteppedDate().toString() }) as DateConstructor
