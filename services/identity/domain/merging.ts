import { Fault, type Link } from '#contracts'
import { isSameProvider } from './accounts.ts'

/**
 * Two accounts of one provider may not become one user's: what the provider tells at logins with either would overwrite the
 * other's. Both names of the search engine count as one provider.
 *
 * @throws Fault `operation_failed`
 */
export function refuseSharedProvider(source: readonly Link[], destination: readonly Link[]): void {
  const shared = source.some(({ provider }) => destination.some((other) => isSameProvider(provider, other.provider)))
  if (shared) throw new Fault('operation_failed')
}
