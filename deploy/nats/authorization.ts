import { type BusInterface, type Permissions, permissionsOf } from '#bus'

/** The variable of the NATS server's environment that holds the password of a station's user, or its bcrypt hash. */
export function passwordVariable(name: string): string {
  return `NATS_PASSWORD_${name.toUpperCase().replaceAll('-', '_')}`
}

/**
 * The part of a NATS server's configuration that knows users: one for each station, who may do what the station does and
 * nothing else.
 *
 * @param onlooker a user more, who may do everything and needs no password: connections that name no user are it. For tests
 */
export function authorization(stations: readonly BusInterface[], { onlooker }: { onlooker?: string } = {}): string {
  const users = stations.map((station) => {
    const { name } = station
    return `    {
      user: "${name}"
      password: $${passwordVariable(name)}
      permissions: {\n${permissions(permissionsOf(station))}      }
    }`
  })
  if (onlooker) users.push(`    { user: "${onlooker}", password: "${onlooker}" }`)
  const nobody = onlooker ? `no_auth_user: "${onlooker}"\n` : ''
  return `${nobody}authorization {\n  users: [\n${users.join('\n')}\n  ]\n}\n`
}

function permissions({ publish, subscribe, allow_responses }: Permissions): string {
  const allowed = (subjects: readonly string[]) =>
    subjects.length === 0 ? '[]' : `[\n${subjects.map((subject) => `            "${subject}"\n`).join('')}          ]`
  return [
    `        publish: {\n          allow: ${allowed(publish.allow)}\n        }\n`,
    `        subscribe: {\n          allow: ${allowed(subscribe.allow)}\n        }\n`,
    allow_responses
      ? `        allow_responses: { max: ${allow_responses.max}, expires: "${allow_responses.expires}" }\n`
      : '',
  ].join('')
}
