import { isIP } from 'node:net'
import { isPublicAddress } from './public-addresses.ts'

/** To which of the addresses that customers enter this installation connects. */
export interface AddressRules {
  /** Whether a private address may be used, also without TLS. */
  readonly isPrivateAllowed: (address: string) => boolean
  /** Whether a URL can be used, as far as it shows. Names are resolved, and checked, at each connection. */
  readonly isUrlAllowed: (url: string) => boolean
}

/** @param allowsPrivate whether the operator allows a private address; undefined: none */
export function createAddressRules(allowsPrivate: ((address: string) => boolean) | undefined): AddressRules {
  const isPrivateAllowed = allowsPrivate ?? (() => false)
  return {
    isPrivateAllowed,
    isUrlAllowed(url) {
      const { protocol, hostname } = new URL(url)
      const host = hostname.replace(/^\[|\]$/g, '')
      const isSecure = protocol === 'https:'
      if (isIP(host) === 0) return isSecure || allowsPrivate !== undefined
      return isPrivateAllowed(host) || (isSecure && isPublicAddress(host))
    },
  }
}
