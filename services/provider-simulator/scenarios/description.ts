import { simulatedClock } from '../simulated-clock.ts'
import { getScenarioKind } from './scenario-kinds.ts'
import type { Scenario, Scenarios } from './scenarios.ts'

/** A scenario as shown on pages. */
interface ScenarioDescription {
  readonly id: string
  readonly title: string
  readonly effect: string
  /** E.g. `Hanako at every provider`. */
  readonly subject: string
  /** E.g. `59 minutes`. */
  readonly remaining: string
}

export function describeScenario({ id, scenario, provider, name, seconds, endsAt }: Scenario): ScenarioDescription {
  const { subject, title, effect } = getScenarioKind(scenario)
  return {
    id,
    title: seconds === null ? title : `${title} (${formatUnit(seconds, 'second')})`,
    effect,
    subject: `${subject === 'server' ? 'The servers' : (name ?? 'All users')} at ${provider ?? 'every provider'}`,
    remaining: formatDuration((endsAt.getTime() - simulatedClock.now()) / 1_000),
  }
}

/** The active scenarios that can affect an end user who signs in at this provider. */
export function describeScenariosAt(provider: string, scenarios: Scenarios): ScenarioDescription[] {
  return scenarios
    .list()
    .filter((scenario) => scenario.provider === null || scenario.provider === provider)
    .map(describeScenario)
}

function formatDuration(seconds: number): string {
  if (seconds < 90) return formatUnit(Math.ceil(seconds), 'second')
  return seconds < 5_400
    ? formatUnit(Math.ceil(seconds / 60), 'minute')
    : formatUnit(Math.ceil(seconds / 3_600), 'hour')
}

function formatUnit(count: number, unit: string): string {
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
