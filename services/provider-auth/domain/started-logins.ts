/**
 * Counts a started login of an address. Returns the seconds until the next attempt if the address has started too many.
 * It does not count by client or site, because others could use up that limit, nor unknown addresses, which would share
 * one counter.
 */
export type CountStartedLogin = (address: string | undefined) => Promise<number | undefined>
