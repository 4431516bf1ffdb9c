import { isIP } from 'node:net'
import { compileAddresses } from '#http'
import { isPublicAddress } from '#http-client'

/** Which addresses this installation sends webhooks to. */
export interface AddressRules {
  /** Whether a private address may be used, also without TLS. */
  readonly isPrivateAllowed: (address: string) => boolean
  /** Whether a URL can be used, as far as it shows. Names are resolved, and checked, at each connection. */
  readonly isUrlAllowed: (url: string) => boolean
}

/** @param privateAddresses addresses and blocks that the operator allows */
export function createAddressRules(privateAddresses: readonly string[]): AddressRules {
  const isPrivateAllowed = privateAddresses.length === 0 ? () => false : compileAddresses(privateAddresses)
  return {
    isPrivateAllowed,
    isUrlAllowed(url) {
      const { protocol, hostname } = new URL(url)
      const host = hostname.replace(/^\[|\]$/g, '')
      const isSecure = protocol === 'https:'
      if (isIP(host) === 0) return isSecure || privateAddresses.length > 0
      return isPrivateAllowed(host) || (isSecure && isPublicAddress(host))
    },
  }
}
