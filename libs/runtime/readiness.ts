/** Whether this process can serve. Depends on its own connections, never on other services or login providers. */
export interface Readiness {
  /** Adds a dependency that must be usable for this process to be ready. */
  readonly require: (name: string, usable: () => boolean) => void
  readonly setPhase: (phase: Phase) => void
  /** Whether the service has started: settings, schema and keys are valid. */
  readonly hasStarted: () => boolean
  /** Whether the process is about to end. It still serves, while load balancers notice that it is not ready. */
  readonly isStopping: () => boolean
  /** Names of the dependencies that are not usable; empty when ready. */
  readonly missing: () => string[]
}

export type Phase = 'starting' | 'serving' | 'stopping'

export function createReadiness(): Readiness {
  const parts = new Map<string, () => boolean>()
  let phase: Phase = 'starting'
  return {
    require: (name, usable) => parts.set(name, usable),
    setPhase(next) {
      phase = next
    },
    hasStarted: () => phase !== 'starting',
    isStopping: () => phase === 'stopping',
    missing() {
      const unusable = [...parts].filter(([, usable]) => !usable()).map(([name]) => name)
      return phase === 'serving' ? unusable : [phase, ...unusable]
    },
  }
}
