/** Whether this process can serve: what it needs itself, never other services or login providers. */
export interface Readiness {
  /** Adds something that must be usable for this process to serve. */
  readonly require: (name: string, usable: () => boolean) => void
  readonly enter: (phase: Phase) => void
  /** Whether it has begun to serve: its settings, schema and keys are as they must be. */
  readonly started: () => boolean
  /** Names of what is not usable; empty when ready. */
  readonly missing: () => string[]
}

export type Phase = 'starting' | 'serving' | 'stopping'

export function createReadiness(): Readiness {
  const parts = new Map<string, () => boolean>()
  let phase: Phase = 'starting'
  return {
    require: (name, usable) => parts.set(name, usable),
    enter(next) {
      phase = next
    },
    started: () => phase !== 'starting',
    missing() {
      const unusable = [...parts].filter(([, usable]) => !usable()).map(([name]) => name)
      return phase === 'serving' ? unusable : [phase, ...unusable]
    },
  }
}
