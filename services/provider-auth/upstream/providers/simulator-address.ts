/** Creates the function that maps a provider's addresses to the simulator, if there is one: below its name, same path. */
export function createAddressMapper(simulatorUrl: string | undefined, provider: string): (address: string) => string {
  return (address) => {
    if (simulatorUrl === undefined) return address
    const { pathname, search } = new URL(address)
    return `${simulatorUrl}/${provider}${pathname.replace(/\/$/, '')}${search}`
  }
}
