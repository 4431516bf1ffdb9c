import type { BusInterface } from '#bus'
import { passwordVariable } from './authorization.ts'

/** The environment of a NATS server with the users of the bus interfaces. */
export function createPasswords(
  busInterfaces: readonly BusInterface[],
  passwordOf: (name: string) => string,
): Record<string, string> {
  return Object.fromEntries(busInterfaces.map(({ name }) => [passwordVariable(name), passwordOf(name)]))
}

/** The address of a NATS server with the name and password of a service's user. */
export function urlWithUser(name: string, password: string, url: string): string {
  const withUser = new URL(url)
  withUser.username = name
  withUser.password = password
  return withUser.href
}
