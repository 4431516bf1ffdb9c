import { faultReasons, faults, limits } from '#contracts'
import type { ApiFacts } from './openapi.ts'
import { listErrors } from './operation-errors.ts'

/** Errors of requests that reach no operation. */
const withoutOperation = ['method_not_allowed', 'unknown_operation'] as const

/** Every error of the Web API once, by code. The operations list their conditions. */
function errorsOf({ operations }: ApiFacts) {
  const names = new Set(operations.flatMap((operation) => listErrors(operation).map(({ fault }) => fault)))
  return [...names, ...withoutOperation].map((name) => faults[name]).sort((a, b) => a.code - b.code)
}

/**
 * What holds for every operation, in Markdown. The `documentation` of an error response links to the heading `error-<code>`.
 */
export function createGuide(facts: ApiFacts): string {
  const { webApiUrl, auth_url } = facts
  const discovery = auth_url && `${auth_url}/.well-known/openid-configuration`
  const errors = errorsOf(facts).map(({ status, code, message }) => `### Error ${code}\n\nHTTP ${status} “${message}”`)
  const reasons = Object.entries(faultReasons).map(([name, sentence]) => `| \`${name}\` | ${sentence} |`)
  return `

The same in OpenAPI 3.1: [openapi.json](/openapi.json).${discovery ? ` For logins, see the discovery document of the OpenID Provider: <${discovery}>.` : ''}

## Calling the API

Call an operation at \`${webApiUrl}/api/<operation>\` by GET, or by POST with the same parameters in an
\`application/x-www-form-urlencoded\` body. Create an API key in the management console and send it in \`X-API-Key\`, in
\`Authorization: Bearer\`, or in the parameter \`key\`. Use the key on servers only: it gives access to personal data.

- Identify a user by \`identifier\` or, once mapped, by \`primary_key\`. If you send both, they must belong to the same user.
- Flags are true when they are exactly \`true\`, \`yes\`, \`y\` or \`enabled\`.
- An empty parameter counts as absent. A parameter that occurs twice is an error.
- Times are UTC, \`YYYY-MM-DDTHH:MM:SSZ\`. Parameters and responses are UTF-8.
- Operations that write reject requests from browsers (code 1004), and therefore test requests from this page. Call them from your server.

## Repeating a request

Send \`Idempotency-Key\`, 1 to 255 printable ASCII characters of your choice, with an operation that writes. For 24 hours the same
request with the same key gets the first response again, and nothing is done twice. Another request with that key gets code 6.
While the first request is in progress, the second gets 503, code 1003, and \`Retry-After\`.

After a response of 5xx, or none, the outcome is unknown and not stored: repeat the request with the same key, and it runs again,
except that \`create_user\` never creates a second user. If the first attempt succeeded, the response of the repeat can reflect that,
such as 404 for a deleted user. Stored responses with a user’s data are deleted with the user: a repeat of \`create_user\` then
gets 404, code 7, and creates no other user.

## Rate limit

A site has ${limits.requests_per_window.toLocaleString('en')} requests in a window of a minute, unless its settings differ. The window opens with its first request.
\`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` report the state. Above the limit the response is 429, code
22, with \`Retry-After\`, the seconds after which a request is accepted.

## Errors

A successful response is JSON with \`"status": "ok"\`. An error response has exactly one error, the first that applies:

\`\`\`json
{ "status": "failed", "error": { "code": 6, "message": "Invalid parameter.", "parameter": "limit",
  "reason": "out_of_range", "documentation": "${webApiUrl}/docs#error-6" } }
\`\`\`

Handle errors by \`code\`. \`parameter\` and \`reason\`, if present, say what to change. To look up a failed request, enter its
\`X-Request-Id\` in the console within three days.

${errors.join('\n\n')}

## Reasons

| \`reason\` | Meaning |
|---|---|
${reasons.join('\n')}
`
}
