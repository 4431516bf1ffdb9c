import { type Context, readParameters } from '#http'
import { SimulatedError } from '../../oauth/errors.ts'
import { identify, type OAuthServer } from '../../oauth/server.ts'
import { findApp, findCallConsent, findGraphAccessToken, findLiveToken } from './access.ts'
import { graphError } from './errors.ts'
import { deriveGraphUser, permissionFields } from './user.ts'

const knownFields = new Set(Object.values(permissionFields).flat())

/** `GET /v26.0/me?fields=…`. Fields whose permission was not granted are omitted without an error. */
export function showGraphUser(ctx: Context, server: OAuthServer): void {
  const consent = findCallConsent(ctx, server)
  const requested = parseFields(readParameters(ctx.querystring).values.get('fields') ?? 'id,name')
  const unknown = requested.find((field) => !knownFields.has(field))
  if (unknown !== undefined) {
    throw graphError(100, `(#100) Tried accessing nonexisting field (${unknown}) on node type (User)`)
  }
  const open = new Set([...consent.granted].flatMap((permission) => permissionFields[permission] ?? []))
  const user = deriveGraphUser(identify(consent, server), server.url)
  const fields = Object.entries(user).filter(([field]) => requested.includes(field) && open.has(field))
  ctx.body = { ...Object.fromEntries(fields), id: user.id }
}

/** Field names without their modifiers, e.g. of `picture.type(large)`. */
function parseFields(list: string): string[] {
  return list.split(',').map((field) => /^\w*/.exec(field.trim())?.[0] ?? '')
}

/** `GET /debug_token?input_token=…` with an app access token: describes a token of the same application. */
export function debugToken(ctx: Context, server: OAuthServer): void {
  const app = findApp(findGraphAccessToken(ctx), server.clients)
  if (app === undefined) throw graphError(190, 'Invalid OAuth access token - an app access token is needed')
  const inputToken = readParameters(ctx.querystring).values.get('input_token')
  if (inputToken === undefined) throw graphError(100, '(#100) You must provide an input token')
  ctx.body = { data: describeToken(inputToken, app.client_id, server) }
}

function describeToken(token: string, appId: string, server: OAuthServer): object {
  try {
    const { grant, issuedAtMs, expiresAtMs } = findLiveToken(token, server.grants)
    if (grant.client_id !== appId) {
      throw graphError(100, '(#100) The App_id in the input_token did not match the Viewing App')
    }
    const { client, sub } = identify(grant, server)
    return {
      app_id: appId,
      type: 'USER',
      application: client.name ?? appId,
      expires_at: Math.floor(expiresAtMs / 1_000),
      is_valid: true,
      issued_at: Math.floor(issuedAtMs / 1_000),
      scopes: [...grant.consent.granted],
      user_id: sub,
    }
  } catch (error) {
    if (!(error instanceof SimulatedError)) throw error
    const { code, description, subcode } = error.fields
    return { error: { code, message: description, subcode }, is_valid: false, scopes: [] }
  }
}
