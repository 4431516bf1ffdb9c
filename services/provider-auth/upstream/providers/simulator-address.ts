import { loadCatalog } from '#catalog'

/** Creates the function that maps a provider's addresses to the simulator, if there is one: below its name, same path. */
export function createAddressMapper(simulatorUrl: string | undefined, provider: string): (address: string) => string {
  return (address) => {
    if (simulatorUrl === undefined) return address
    const { pathname, search } = new URL(address)
    return `${simulatorUrl}/${provider}${pathname.replace(/\/$/, '')}${search}`
  }
}

/**
 * Creates the function that maps the addresses of providers that the catalog describes to the simulator, if there is one:
 * below the entry's name, same host and path. All other addresses stay.
 */
export function createCatalogMapper(simulatorUrl: string | undefined): (address: string) => string {
  if (simulatorUrl === undefined) return (address) => address
  const names = new Map(loadCatalog().flatMap(({ name, hosts }) => hosts.map((host) => [host, name])))
  return (address) => {
    const [, rest = ''] = address.split('https://')
    const name = names.get(rest.split(/[/?#]/)[0] ?? '')
    return name === undefined ? address : `${simulatorUrl}/${name}/${rest}`
  }
}
