import type { Databases } from '../stack.ts'

/** What clients were answered, to be compared with what is stored. */
export interface EffectRecord {
  readonly created: (primaryKey: string, identifier: string) => void
  /** The deletion was requested. */
  readonly deleting: (primaryKey: string) => void
  readonly deleted: (primaryKey: string) => void
  readonly loggedIn: (user: string, identifier: string) => void
  /** Answered effects that are not stored, or are stored twice. */
  readonly findViolations: (databases: Databases) => Promise<string[]>
  readonly counts: () => { readonly writes: number; readonly logins: number }
}

interface CreatedUser {
  readonly identifier: string
  state: 'exists' | 'deleting' | 'deleted'
}

export function createEffectRecord(): EffectRecord {
  const users = new Map<string, CreatedUser>()
  const logins = new Map<string, string[]>()
  const set = (primaryKey: string, state: CreatedUser['state']) => {
    const user = users.get(primaryKey)
    if (user !== undefined) user.state = state
  }
  return {
    created: (primaryKey, identifier) => void users.set(primaryKey, { identifier, state: 'exists' }),
    deleting: (primaryKey) => set(primaryKey, 'deleting'),
    deleted: (primaryKey) => set(primaryKey, 'deleted'),
    loggedIn: (user, identifier) => void logins.set(user, [...(logins.get(user) ?? []), identifier]),
    counts: () => ({
      writes: [...users.values()].reduce((sum, { state }) => sum + (state === 'deleted' ? 2 : 1), 0),
      logins: [...logins.values()].flat().length,
    }),
    async findViolations({ identity }) {
      const stored: { primary_key: string; identifier: string }[] = await identity('users')
        .whereIn('primary_key', [...users.keys()])
        .select('primary_key', 'identifier')
      const storedIds = new Map(stored.map(({ primary_key, identifier }) => [primary_key, identifier]))
      const wrongUsers = [...users].flatMap(([primaryKey, { identifier, state }]) => {
        const found = storedIds.get(primaryKey)
        if (state === 'exists' && found !== identifier)
          return [`${primaryKey}: ${identifier} was created, ${found} is stored`]
        return state === 'deleted' && found !== undefined ? [`${primaryKey} was deleted, and is stored`] : []
      })
      const counted: { identifier: string; login_count: number }[] = await identity('users')
        .whereIn('identifier', [...logins.values()].flat())
        .select('identifier', 'login_count')
      const counts = new Map(counted.map(({ identifier, login_count }) => [identifier, login_count]))
      const wrongLogins = [...logins].flatMap(([user, answered]) => {
        const identifiers = [...new Set(answered)]
        if (identifiers.length > 1) return [`${user} logged in as ${identifiers.join(' and ')}`]
        const found = counts.get(identifiers[0] ?? '') ?? 0
        return found < answered.length ? [`${user} logged in ${answered.length} times, ${found} are counted`] : []
      })
      return [...wrongUsers, ...wrongLogins]
    },
  }
}
