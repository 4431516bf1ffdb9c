import type { Station } from '#bus'
import { passwordVariable } from './authorization.ts'

/** The environment of a NATS server that knows the stations. */
export function passwordsFor(
  stations: readonly Station[],
  passwordOf: (name: string) => string,
): Record<string, string> {
  return Object.fromEntries(stations.map(({ name }) => [passwordVariable(name), passwordOf(name)]))
}
