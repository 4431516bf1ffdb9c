import type { Fault, Provider } from '#contracts'
import type { Step, StepAccount } from './history-steps.ts'

/** The expected state of a user. */
export interface ModelUser {
  exists: boolean
  primary_key: string | null
  /** Account IDs by provider. */
  links: Map<Provider, string>
  login_count: number
}
type Outcome = 'ok' | Fault['fault']

const engine = (provider: Provider) => (provider === 'search_legacy' ? 'search' : provider)
const isOne = (account: StepAccount) => (provider: Provider, id: string) =>
  engine(provider) === engine(account.provider) && id === account.provider_user_id

/** A small model of users according to the specification and our choices. Each step returns the expected outcome. */
export function createModel() {
  const users: ModelUser[] = []
  const find = (n: number) => (users[n]?.exists ? users[n] : undefined)
  const living = () => users.filter(({ exists }) => exists)
  const holderOf = (account: StepAccount) =>
    living().find(({ links }) => [...links].some(([provider, id]) => isOne(account)(provider, id)))
  const holderOfKey = (key: string) => living().find(({ primary_key }) => primary_key === key)

  const add = (primaryKey: string | null, accounts: readonly StepAccount[]) => {
    const links = new Map(accounts.map(({ provider, provider_user_id }) => [provider, provider_user_id]))
    const user = { exists: true, primary_key: primaryKey, links, login_count: 0 }
    users.push(user)
    return user
  }

  const merge = (source: ModelUser, destination: ModelUser): Outcome => {
    const engines = new Set([...destination.links.keys()].map(engine))
    if ([...source.links.keys()].some((provider) => engines.has(engine(provider)))) return 'operation_failed'
    for (const [provider, id] of source.links) destination.links.set(provider, id)
    destination.primary_key ??= source.primary_key
    destination.login_count += source.login_count
    source.exists = false
    return 'ok'
  }

  const link = (user: ModelUser, account: StepAccount): Outcome => {
    const own = [...user.links].filter(([provider]) => engine(provider) === engine(account.provider))
    if (own.some(([, id]) => id !== account.provider_user_id)) return 'provider_already_linked'
    const holder = holderOf(account)
    if (holder !== undefined && holder !== user) return 'invalid_parameter'
    user.links.set(account.provider, account.provider_user_id)
    return 'ok'
  }

  const unlink = (user: ModelUser, providers: readonly Provider[], nowarn: boolean): Outcome => {
    if (providers.some((provider) => !user.links.has(provider))) return 'provider_not_linked'
    if (!nowarn && user.links.size === providers.length) return 'last_provider'
    for (const provider of providers) user.links.delete(provider)
    return 'ok'
  }

  const map = (user: ModelUser, key: string, overwrite: boolean): Outcome => {
    const holder = holderOfKey(key)
    if (holder === user) return 'ok'
    if (holder !== undefined) return 'duplicated_primary_key'
    if (user.primary_key !== null && !overwrite) return 'already_mapped'
    user.primary_key = key
    return 'ok'
  }

  const login = (account: StepAccount): Outcome => {
    const user = holderOf(account) ?? add(null, [account])
    if (!user.links.has(account.provider)) user.links.set(account.provider, account.provider_user_id)
    user.login_count++
    return 'ok'
  }

  const take = (step: Step): Outcome => {
    if (step.do === 'login') return login(step.account)
    if (step.do === 'create') {
      if (step.accounts.some(holderOf)) return 'invalid_parameter'
      if (step.primary_key !== null && holderOfKey(step.primary_key)) return 'duplicated_primary_key'
      add(step.primary_key, step.accounts)
      return 'ok'
    }
    const user = find(step.user)
    if (user === undefined) return 'entity_not_found'
    if (step.do === 'link') return link(user, step.account)
    if (step.do === 'unlink') return unlink(user, step.providers, step.nowarn)
    if (step.do === 'map') return map(user, step.primary_key, step.overwrite)
    if (step.do === 'merge') {
      const into = find(step.into)
      if (into === user) return 'invalid_parameter'
      return into === undefined ? 'entity_not_found' : merge(user, into)
    }
    if (step.do === 'unmap') user.primary_key = null
    else user.exists = false
    return 'ok'
  }
  return { users, take }
}
