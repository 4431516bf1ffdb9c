import type { Behaviour, Behaviours } from './behaviours.ts'
import { kindOf } from './kinds.ts'

/** A behaviour for people to read. */
export interface InWords {
  readonly id: string
  readonly title: string
  readonly effect: string
  /** E.g. `Hanako at every provider`. */
  readonly whom: string
  /** E.g. `59 minutes`. */
  readonly left: string
}

export function inWords({ id, behaviour, provider, name, seconds, ends_at }: Behaviour): InWords {
  const { subject, title, effect } = kindOf(behaviour)
  const whom = subject === 'server' ? 'The servers' : (name ?? 'Everybody')
  return {
    id,
    title: seconds === null ? title : `${title} (${inUnit(seconds, 'second')})`,
    effect,
    whom: `${whom} at ${provider ?? 'every provider'}`,
    left: duration((ends_at.getTime() - Date.now()) / 1_000),
  }
}

/** What is in force that a person who signs in at this provider may meet. */
export function concerning(provider: string, behaviours: Behaviours): InWords[] {
  return behaviours
    .list()
    .filter((chosen) => chosen.provider === null || chosen.provider === provider)
    .map(inWords)
}

function duration(seconds: number): string {
  if (seconds < 90) return inUnit(Math.ceil(seconds), 'second')
  return seconds < 5_400 ? inUnit(Math.ceil(seconds / 60), 'minute') : inUnit(Math.ceil(seconds / 3_600), 'hour')
}

function inUnit(count: number, unit: string): string {
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
