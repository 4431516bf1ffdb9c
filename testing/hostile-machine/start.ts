import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createPausing } from './pause.ts'
import { createRandom } from './random.ts'

const busyProcesses = 2
/** How long the run is stopped, and how long it runs in between: no time limit of five seconds meets two stops. */
const stopMs = { least: 200, most: 3_000 }
const runMs = { least: 5_000, most: 20_000 }

/** The environment and the arguments of vitest that belong to a hostile run. Everything random derives from the seed. */
export function describeHostileRun(seed: number) {
  const clock = `--import=${join(import.meta.dirname, 'step-clock.ts')}`
  return {
    environment: {
      HOSTILE_MACHINE_SEED: String(seed),
      NODE_OPTIONS: [process.env.NODE_OPTIONS, clock].filter(Boolean).join(' '),
    },
    arguments_: [
      '--sequence.shuffle.files',
      '--sequence.shuffle.tests',
      `--sequence.seed=${seed}`,
      // The machine has a third of its time for the tests, and stops in between.
      '--testTimeout=480000',
      '--hookTimeout=480000',
      '--expect.poll.timeout=240000',
    ],
  }
}

/** Makes a machine hostile to a run. @param pid of the run, which has started no other process yet */
export function startHostileMachine(seed: number, pid: number): { readonly end: () => string } {
  const random = createRandom(seed)
  const between = ({ least, most }: { least: number; most: number }) => least + Math.round(random() * (most - least))
  const busy = Array.from({ length: busyProcesses }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore', env: {} }),
  )
  const pausing = createPausing(pid)
  let stops = 0
  let stoppedMs = 0
  let timer: NodeJS.Timeout
  const run = () => {
    timer = setTimeout(stop, between(runMs))
  }
  const stop = () => {
    const duration = between(stopMs)
    stops++
    stoppedMs += duration
    pausing.stop()
    timer = setTimeout(() => {
      pausing.go()
      run()
    }, duration)
  }
  run()
  return {
    end() {
      clearTimeout(timer)
      pausing.end()
      for (const child of busy) child.kill('SIGKILL')
      return `Hostile machine, seed ${seed}: ${busyProcesses} busy processes, ${stops} stops of ${(stoppedMs / 1_000).toFixed(1)} s, slow flushes, a stepping clock, random order. Repeat: npm test -- --hostile-machine --seed ${seed}`
    },
  }
}
