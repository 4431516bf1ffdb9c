import { mostStepMs } from './pass-clock-steps.ts'
import { createRandom } from './random.ts'

// Loaded by every Node process of a hostile run (`--import`): its clock steps in both directions, like those of replicas that are
// not quite synchronized, and so often that it goes back between any two steps of a test in some run. All processes step together.
// Timers and `performance.now()` are not affected, as on a real machine.

const stepsEveryMs = 150

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
