import type { LoginProvider } from '#contracts'
import { newToken } from '#runtime'
import type { ScenarioInput } from './input.ts'
import type { ScenarioName } from './kinds.ts'

/** A scenario that was started and ends by itself. */
export interface Scenario {
  readonly id: string
  readonly behaviour: ScenarioName
  /** Null: at every provider. */
  readonly provider: LoginProvider | null
  /** Null: for every end user. */
  readonly name: string | null
  /** Null where the scenario has no duration. */
  readonly seconds: number | null
  readonly began_at: Date
  readonly endsAt: Date
}

/** The active scenarios that apply to an end user or a provider, each kind once. */
export type ActiveScenarios = ReadonlyMap<ScenarioName, Scenario>

/** What end users and providers should do wrong, in memory. The OAuth server and the sign-in page apply it. */
export interface Scenarios {
  /** Starts a scenario; the same one for the same end user and provider starts again. */
  readonly start: (input: ScenarioInput) => Scenario
  /** False when there is none of this id. */
  readonly end: (id: string) => boolean
  readonly endAll: () => void
  /** In the order in which they were started. */
  readonly list: () => readonly Scenario[]
  /** Active for the end user of this name at the provider; without a name, for all of its end users. The latest counts. */
  readonly activeFor: (provider: string, name?: string) => ActiveScenarios
  /** Whether what an end user granted at this time (Unix time in ms) was revoked since, or the account deleted. */
  readonly hasEndedGrant: (provider: string, name: string, grantedAtMs: number) => boolean
}

/** Beyond it the oldest are removed. Our choice. */
const mostStored = 1_000

export function createScenarios(): Scenarios {
  const stored = new Map<string, Scenario>()

  const list = () => [...stored.values()].filter(({ endsAt }) => endsAt.getTime() > Date.now())
  const activeFor: Scenarios['activeFor'] = (provider, name) => {
    const active = list().filter(
      (scenario) =>
        (scenario.provider === null || scenario.provider === provider) &&
        (scenario.name === null || scenario.name === name),
    )
    return new Map(active.map((scenario) => [scenario.behaviour, scenario]))
  }

  return {
    start({ behaviour, provider = null, name = null, seconds = null, lasts_seconds }) {
      const now = Date.now()
      for (const [id, old] of stored) {
        const isSame = old.behaviour === behaviour && old.provider === provider && old.name === name
        if (isSame || old.endsAt.getTime() <= now || stored.size >= mostStored) stored.delete(id)
      }
      const [beganAt, endsAt] = [new Date(now), new Date(now + lasts_seconds * 1_000)]
      const scenario = { id: newToken(), behaviour, provider, name, seconds, began_at: beganAt, endsAt }
      stored.set(scenario.id, scenario)
      return scenario
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
