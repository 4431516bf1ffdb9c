import type { LoginProvider } from '#contracts'
import { newToken } from '#runtime'
import type { BehaviourName } from './kinds.ts'
import type { Wanted } from './wanted.ts'

/** A behaviour that was chosen and lasts for a while. */
export interface Behaviour {
  readonly id: string
  readonly behaviour: BehaviourName
  /** Null: at every provider. */
  readonly provider: LoginProvider | null
  /** Null: whoever signs in. */
  readonly name: string | null
  /** Null where the behaviour has no length of time. */
  readonly seconds: number | null
  readonly began_at: Date
  readonly ends_at: Date
}

/** The behaviours in force for somebody or something, each kind once. */
export type InForce = ReadonlyMap<BehaviourName, Behaviour>

/**
 * How people and providers behave, in memory. A provider joins thus:
 * - its servers, `refuse` and `account_deleted` by itself: the app and the sign-in page see to them. Routes for people, not for
 *   servers, have names that `isForPeople` knows;
 * - e-mail: tells `email` and `email_verified` of `personNamed`, which are undefined where nothing is to be told;
 * - tokens: keeps them in `createTokens`, tells `expires_in` by their `seconds_left`, and asks `hasEnded` about consents;
 * - ID Tokens: signs them with `signIdToken`, and gives userinfo to `tellUserinfo`.
 */
export interface Behaviours {
  /** Chooses a behaviour; the same one for the same person and provider begins anew. */
  readonly begin: (wanted: Wanted) => Behaviour
  /** False when there is none of this id. */
  readonly end: (id: string) => boolean
  readonly endAll: () => void
  /** In the order in which they were chosen. */
  readonly list: () => readonly Behaviour[]
  /** In force for the person of this name at the provider; without a name, for everybody there. The one chosen last counts. */
  readonly of: (provider: string, name?: string) => InForce
  /** Whether what a person granted at this time (Unix time in ms) is void: withdrawn since, or the account is deleted. */
  readonly hasEnded: (provider: string, name: string, granted_at_ms: number) => boolean
}

/** Beyond it the oldest go. Our choice. */
const most_kept = 1_000

export function createBehaviours(): Behaviours {
  const kept = new Map<string, Behaviour>()

  const list = () => [...kept.values()].filter(({ ends_at }) => ends_at.getTime() > Date.now())
  const of: Behaviours['of'] = (provider, name) => {
    const concerned = list().filter(
      (chosen) =>
        (chosen.provider === null || chosen.provider === provider) && (chosen.name === null || chosen.name === name),
    )
    return new Map(concerned.map((chosen) => [chosen.behaviour, chosen]))
  }

  return {
    begin({ behaviour, provider = null, name = null, seconds = null, lasts_seconds }) {
      const now = Date.now()
      for (const [id, old] of kept) {
        const is_same = old.behaviour === behaviour && old.provider === provider && old.name === name
        if (is_same || old.ends_at.getTime() <= now || kept.size >= most_kept) kept.delete(id)
      }
      const [began_at, ends_at] = [new Date(now), new Date(now + lasts_seconds * 1_000)]
      const chosen = { id: newToken(), behaviour, provider, name, seconds, began_at, ends_at }
      kept.set(chosen.id, chosen)
      return chosen
    },
    end: (id) => kept.delete(id),
    endAll: () => kept.clear(),
    list,
    of,
    hasEnded(provider, name, granted_at_ms) {
      const in_force = of(provider, name)
      const ending = [in_force.get('revoked'), in_force.get('account_deleted')]
      return ending.some((chosen) => chosen !== undefined && granted_at_ms <= chosen.began_at.getTime())
    },
  }
}
