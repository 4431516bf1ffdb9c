import type { BusInterface } from '#bus'
import { passwordVariable } from './authorization.ts'

/** The environment of a NATS server that knows the stations. */
export function passwordsFor(
  stations: readonly BusInterface[],
  passwordOf: (name: string) => string,
): Record<string, string> {
  return Object.fromEntries(stations.map(({ name }) => [passwordVariable(name), passwordOf(name)]))
}

/** The address of a NATS server with the name and password of a station's user in it. */
export function urlAs(name: string, password: string, url: string): string {
  const own = new URL(url)
  own.username = name
  own.password = password
  return own.href
}
