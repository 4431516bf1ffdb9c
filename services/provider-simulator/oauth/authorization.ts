import { type Context, readForm, readParameters } from '#http'
import { newToken } from '#runtime'
import { withParameters } from '../redirect.ts'
import type { NextStep } from '../sign-in-flow.ts'
import { simulatedClock } from '../simulated-clock.ts'
import { type Check, splitWords, type UncheckedRequest } from './checks.ts'
import type { Allowed, ResponseParameters } from './dialect.ts'
import type { ErrorFields } from './errors.ts'
import { issueIdToken } from './id-token.ts'
import { identify, type OAuthServer } from './server.ts'

/** An authorization request that passed the checks of client and redirect URI. */
interface Request extends Pick<Allowed, 'client' | 'scopes'> {
  readonly values: ReadonlyMap<string, string>
  readonly redirect_uri: string
}

/**
 * The authorization endpoint (RFC 6749 4.1.1): checks the request, shows the sign-in page, and responds with a code or
 * an error.
 */
export async function authorize(ctx: Context, server: OAuthServer): Promise<void> {
  const { dialect, render, signIn } = server
  const { name, title, authorization } = dialect
  const unchecked = await readRequest(ctx, server)

  const shown = firstError(authorization.checksOnPage, unchecked)
  if (shown !== undefined) {
    const page = { message: shown.description, ...authorization.errorPage(shown) }
    render.errorPage(ctx, shown.status ?? 400, { ...page, provider: { name, title } })
    return
  }
  const { values, scopes, client } = unchecked
  const redirectUri = values.get('redirect_uri')
  if (client === undefined || redirectUri === undefined) throw new Error('checksOnPage lacks client or redirect URI.')
  const request = { values, scopes, client, redirect_uri: redirectUri }
  const signInRequest = { provider: { name, title }, client, redirect_uri: redirectUri }

  const sent = firstError(authorization.checksToClient ?? [], unchecked)
  if (sent !== undefined) {
    const { error, description } = sent
    const parameters = authorization.errorParameters?.(sent) ?? { error, error_description: description }
    signIn.proceed(ctx, signInRequest, buildResponse(request, parameters, server))
    return
  }

  const option = authorization.option?.(scopes, values)
  signIn.start(ctx, {
    ...signInRequest,
    shares: authorization.shares(scopes, values),
    ...(option !== undefined && { option }),
    allow: (user, optionChosen) => issueCode(request, user, optionChosen, server),
    deny() {
      const parameters = authorization.denial(values)
      return parameters === undefined ? `${server.url}/${name}/` : buildResponse(request, parameters, server)
    },
  })
}

async function readRequest(ctx: Context, { dialect, clients }: OAuthServer): Promise<UncheckedRequest> {
  const { values, repeated } = ctx.method === 'POST' ? await readForm(ctx.req) : readParameters(ctx.querystring)
  const { readScopes = splitWords } = dialect.authorization
  const scopes = readScopes(values.get('scope') ?? '')
  const clientId = values.get(dialect.clientParameters?.client_id ?? 'client_id')
  return { values, repeated, scopes, client: clients.find(dialect.name, clientId) }
}

function firstError(checks: readonly Check[], request: UncheckedRequest): ErrorFields | undefined {
  for (const check of checks) {
    const error = check(request)
    if (error !== undefined) return error
  }
  return undefined
}

/** Issues a code for the consent of the end user of this name (RFC 6749 4.1.2). */
async function issueCode(
  request: Request,
  name: string,
  optionChosen: boolean,
  server: OAuthServer,
): Promise<NextStep> {
  const { dialect, grants } = server
  const { client, scopes, values, redirect_uri } = request
  const { client_id } = client
  const { consent, isFirst } = grants.consents.give(client_id, name)
  const allowed = { ...identify({ client_id, name }, server), scopes, request: values, consent, isFirst, optionChosen }
  const { parameters, isRefreshable = dialect.refreshToken !== undefined } =
    dialect.authorization.onAllow?.(allowed) ?? {}

  const code = newToken(dialect.code.prefix, dialect.code.bytes)
  const authTime = Math.floor(simulatedClock.now() / 1_000)
  const grant = { client_id, name, scopes, consent, request: values, redirect_uri, auth_time: authTime, isRefreshable }
  grants.codes.set(code, grant)
  const hasIdToken = splitWords(values.get('response_type')).includes('id_token')
  const idToken = hasIdToken ? await issueIdToken(grant, { nonce: values.get('nonce'), code }, server) : undefined
  return buildResponse(request, { code, id_token: idToken, ...parameters }, server)
}

/** The response by the response mode of the request (OAuth 2.0 Multiple Response Types 2.1). */
function buildResponse(
  { values, redirect_uri }: Request,
  parameters: ResponseParameters,
  server: OAuthServer,
): NextStep {
  const { hasResponseModes, stateFirst, sendsIssuer, fragment = '' } = server.dialect.authorization
  const state = values.get('state')
  const all = {
    ...(stateFirst && { state }),
    ...(sendsIssuer && { iss: server.issuer }),
    ...parameters,
    ...(!stateFirst && { state }),
  }
  const mode = hasResponseModes ? values.get('response_mode') : 'query'
  if (mode === 'form_post') return { action: redirect_uri, fields: all }
  const address = withParameters(redirect_uri, all) + fragment
  return mode === 'fragment' ? `${redirect_uri}#${address.slice(redirect_uri.length + 1)}` : address
}
