import type { CircuitState, LoginCount, LoginStep, Provider, ProviderCallCount } from '#contracts'

/** What this replica counted since the last report. */
export interface LoginReport {
  readonly logins: LoginCount[]
  readonly provider_calls: ProviderCallCount[]
  readonly circuits: { provider: Provider; state: CircuitState }[]
}

export interface LoginUsage {
  readonly countLogin: (of: { readonly site: number; readonly provider: Provider }, step: LoginStep) => void
  readonly countProviderCall: (provider: Provider, failed: boolean) => void
  readonly setCircuitState: (provider: Provider, state: CircuitState) => void
  /** Returns the counts since the last call, and the state of every circuit breaker. */
  readonly take: () => LoginReport[]
}

/** Maximum rows per report; more rows are split into several reports. */
const maxReportRows = 2_000

/**
 * Counts login steps by site and provider, and calls to providers, in memory. The number of rows is the number of sites
 * and providers that were active since the last report.
 *
 * @param now Unix time in milliseconds
 */
export function createLoginUsage(now: () => number = Date.now): LoginUsage {
  let logins = new Map<string, LoginCount>()
  let calls = new Map<string, ProviderCallCount>()
  const circuits = new Map<Provider, CircuitState>()
  const currentMinute = () => Math.floor(now() / 60_000)

  return {
    countLogin({ site, provider }, step) {
      const minute = currentMinute()
      const key = `${minute} ${site} ${provider} ${step}`
      const row = logins.get(key) ?? { minute, site, provider, step, count: 0 }
      row.count++
      logins.set(key, row)
    },
    countProviderCall(provider, failed) {
      const minute = currentMinute()
      const key = `${minute} ${provider}`
      const row = calls.get(key) ?? { minute, provider, calls: 0, failed: 0 }
      row.calls++
      if (failed) row.failed++
      calls.set(key, row)
    },
    setCircuitState: (provider, state) => circuits.set(provider, state),
    take() {
      const rows = [...logins.values()]
      const providerCalls = [...calls.values()]
      logins = new Map()
      calls = new Map()
      const circuitStates = [...circuits].map(([provider, state]) => ({ provider, state }))
      if (rows.length === 0 && providerCalls.length === 0 && circuitStates.length === 0) return []
      const first = { logins: rows.splice(0, maxReportRows), provider_calls: providerCalls, circuits: circuitStates }
      const further = Array.from({ length: Math.ceil(rows.length / maxReportRows) }, (_, index) => ({
        logins: rows.slice(index * maxReportRows, (index + 1) * maxReportRows),
        provider_calls: [],
        circuits: [],
      }))
      return [first, ...further]
    },
  }
}
