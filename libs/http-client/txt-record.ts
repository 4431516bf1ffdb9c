import { Resolver } from 'node:dns/promises'

/** Whether a name has a TXT record with a value. */
export type TxtState = 'found' | 'different' | 'missing' | 'unavailable'

/** Looks for a TXT record, which proves that someone controls a name. */
export type FindTxtRecord = (name: string, value: string) => Promise<TxtState>

/** Timeout of the DNS. Our choice. */
const timeoutMs = 3_000

/** @param dnsServers empty: those of the machine */
export function createTxtFinder(dnsServers: readonly string[]): FindTxtRecord {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 })
  if (dnsServers.length > 0) resolver.setServers([...dnsServers])
  return async (name, value) => {
    try {
      const records = await resolver.resolveTxt(name)
      return records.some((parts) => parts.join('').trim() === value) ? 'found' : 'different'
    } catch (error) {
      const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
      return code === 'ENOTFOUND' || code === 'ENODATA' ? 'missing' : 'unavailable'
    }
  }
}
