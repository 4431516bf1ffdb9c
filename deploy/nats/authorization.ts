import { type Permissions, permissionsOf, type Station } from '#bus'

/** The variable of the NATS server's environment that holds the password of a station's user, or its bcrypt hash. */
export function passwordVariable(name: string): string {
  return `NATS_PASSWORD_${name.toUpperCase().replaceAll('-', '_')}`
}

/**
 * The part of a NATS server's configuration that knows users: one for each station, who may do what the station does and
 * nothing else.
 *
 * @param fallback of the stations, the user of connections that name none; without it they are refused
 */
export function authorization(stations: readonly Station[], { fallback }: { fallback?: string } = {}): string {
  const users = stations.map((station) => {
    const { name } = station
    return `    {
      user: "${name}"
      password: $${passwordVariable(name)}
      permissions: {\n${permissions(permissionsOf(station))}      }
    }`
  })
  const none = fallback === undefined ? '' : `no_auth_user: "${fallback}"\n`
  return `${none}authorization {\n  users: [\n${users.join('\n')}\n  ]\n}\n`
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
