import { type BusInterface, type Permissions, permissionsOf } from '#bus'

/** The variable of the NATS server's environment that contains the password of a service's user, or its bcrypt hash. */
export function passwordVariable(name: string): string {
  return `NATS_PASSWORD_${name.toUpperCase().replaceAll('-', '_')}`
}

/**
 * The users in a NATS server's configuration: one for each bus interface, with exactly its permissions.
 *
 * @param observer name of another user for tests, with every permission: connections without credentials are this user
 */
export function createAuthorization(
  busInterfaces: readonly BusInterface[],
  { observer }: { observer?: string } = {},
): string {
  const users = busInterfaces.map((busInterface) => {
    const { name } = busInterface
    return `    {
      user: "${name}"
      password: $${passwordVariable(name)}
      permissions: {\n${permissions(permissionsOf(busInterface))}      }
    }`
  })
  if (observer) users.push(`    { user: "${observer}", password: "${observer}" }`)
  const defaultUser = observer ? `no_auth_user: "${observer}"\n` : ''
  return `${defaultUser}authorization {\n  users: [\n${users.join('\n')}\n  ]\n}\n`
}

function permissions({ publish, subscribe }: Permissions): string {
  const allowed = (subjects: readonly string[]) =>
    subjects.length === 0 ? '[]' : `[\n${subjects.map((subject) => `            "${subject}"\n`).join('')}          ]`
  return [
    `        publish: {\n          allow: ${allowed(publish.allow)}\n        }\n`,
    `        subscribe: {\n          allow: ${allowed(subscribe.allow)}\n        }\n`,
  ].join('')
}
