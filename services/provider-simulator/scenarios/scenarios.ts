import { newToken } from '#runtime'
import { simulatedClock } from '../simulated-clock.ts'
import type { ScenarioInput } from './input.ts'
import type { ScenarioName } from './scenario-kinds.ts'

/** An active scenario, which ends by itself. */
export interface Scenario {
  readonly id: string
  readonly scenario: ScenarioName
  /** Null: at every provider. */
  readonly provider: string | null
  /** Null: for every end user. */
  readonly name: string | null
  /** Null if the scenario has no seconds. */
  readonly seconds: number | null
  readonly began_at: Date
  readonly endsAt: Date
}

/** The active scenarios that apply to an end user or a provider, by kind. */
export type ActiveScenarios = ReadonlyMap<ScenarioName, Scenario>

/** The scenarios of a simulator, in memory. The OAuth server and the sign-in page apply them. */
export interface Scenarios {
  /** Starts a scenario; starting the same one for the same end user and provider replaces it. */
  readonly start: (input: ScenarioInput) => Scenario
  /** False if the ID is unknown. */
  readonly end: (id: string) => boolean
  readonly endAll: () => void
  /** In the order in which they were started. */
  readonly list: () => readonly Scenario[]
  /**
   * The scenarios for the end user of this name at the provider; without a name, those for all of its end users. The
   * latest counts.
   */
  readonly activeFor: (provider: string, name?: string) => ActiveScenarios
  /** Whether a grant of this time (Unix time in ms) was revoked since, or the account was deleted. */
  readonly hasEndedGrant: (provider: string, name: string, grantedAtMs: number) => boolean
}

/** Maximum number of scenarios; beyond it the oldest are deleted. Our choice. */
const maxScenarios = 1_000

export function createScenarios(): Scenarios {
  const stored = new Map<string, Scenario>()

  const list = () => [...stored.values()].filter(({ endsAt }) => endsAt.getTime() > simulatedClock.now())
  const activeFor: Scenarios['activeFor'] = (provider, name) => {
    const active = list().filter(
      (scenario) =>
        (scenario.provider === null || scenario.provider === provider) &&
        (scenario.name === null || scenario.name === name),
    )
    return new Map(active.map((scenario) => [scenario.scenario, scenario]))
  }

  return {
    start({ scenario, provider = null, name = null, seconds = null, lasts_seconds }) {
      const now = simulatedClock.now()
      for (const [id, old] of stored) {
        const isSame = old.scenario === scenario && old.provider === provider && old.name === name
        if (isSame || old.endsAt.getTime() <= now || stored.size >= maxScenarios) stored.delete(id)
      }
      const [beganAt, endsAt] = [new Date(now), new Date(now + lasts_seconds * 1_000)]
      const started = { id: newToken(), scenario, provider, name, seconds, began_at: beganAt, endsAt }
      stored.set(started.id, started)
      return started
    },
    end: (id) => stored.delete(id),
    endAll: () => stored.clear(),
    list,
    activeFor,
    hasEndedGrant(provider, name, grantedAtMs) {
      const active = activeFor(provider, name)
      const ending = [active.get('revoked'), active.get('account_deleted')]
      return ending.some((scenario) => scenario !== undefined && grantedAtMs <= scenario.began_at.getTime())
    },
  }
}
