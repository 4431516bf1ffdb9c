import { type Context, readParameters } from '#http'
import { authorizationOf } from './access.ts'
import { GraphError } from './errors.ts'
import { memberOf, permissionFields } from './member.ts'
import type { Social } from './state.ts'

const known_fields = new Set(Object.values(permissionFields).flat())

/** `GET /v26.0/me?fields=…`; a field whose permission was not granted is left out without a word. */
export function showMe(ctx: Context, social: Social): void {
  const authorization = authorizationOf(ctx, social)
  const asked = fieldsIn(readParameters(ctx.querystring).values.get('fields') ?? 'id,name')
  const unknown = asked.find((field) => !known_fields.has(field))
  if (unknown !== undefined) {
    throw new GraphError(100, `(#100) Tried accessing nonexisting field (${unknown}) on node type (User)`)
  }
  const open = new Set([...authorization.granted].flatMap((permission) => permissionFields[permission] ?? []))
  const member = memberOf(authorization, social)
  const told = Object.entries(member).filter(([field]) => asked.includes(field) && open.has(field))
  ctx.body = { ...Object.fromEntries(told), id: member.id }
}

/** Field names without what is said of them, e.g. `picture.type(large)`. */
function fieldsIn(list: string): string[] {
  return list.split(',').map((field) => /^\w*/.exec(field.trim())?.[0] ?? '')
}
