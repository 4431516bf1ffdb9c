import { type Context, readParameters } from '#http'
import { newToken } from '#runtime'
import { nowSeconds } from '../../oauth.ts'
import { withParameters } from '../../redirect.ts'
import type { Onward } from '../../sign-in.ts'
import { issueIdToken } from './id-token.ts'
import { type Request, readRequest } from './request.ts'
import { type Code, consent, type Device, emailOf, findConsent, type Member, memberNamed } from './state.ts'

const provider = { name: 'device', title: 'Device' }

/** `GET /auth/authorize`. What is wrong with a request is told by a page; the application hears of a refusal alone. */
export function authorize(ctx: Context, device: Device): void {
  const parameters = readParameters(ctx.querystring)
  const { values } = parameters
  const request = readRequest(parameters, device)
  if ('refusal' in request) {
    device.render.refusal(ctx, 400, { heading: 'This request cannot go on', message: request.refusal, provider })
    return
  }
  const { client, redirect_uri, scopes } = request
  const [state, nonce] = [values.get('state'), values.get('nonce')]

  device.signIn.ask(ctx, {
    provider,
    client,
    redirect_uri,
    shares: sharesOf(scopes),
    ...(scopes.includes('email') && { option: 'Hide my e-mail address (counts when you allow it for the first time)' }),
    async allow(name, hides_email) {
      const member = memberNamed(name, client, device)
      const known = findConsent(device, client, member)
      const given = known ?? consent(device, client, member, hides_email)
      const code = newToken('c')
      const grant: Code = {
        ...{ client_id: client.client_id, name, scopes, redirect_uri, nonce },
        ...{ consent: given, auth_time: nowSeconds() },
      }
      device.codes.set(code, grant)
      const id_token = request.with_id_token ? await issueIdToken(grant, { nonce, code }, device) : undefined
      const user = known === undefined ? userOf(member, grant) : undefined
      return back(request, { state, code, id_token, user })
    },
    deny: () => back(request, { state, error: 'user_cancelled_authorize' }),
  })
}

/** What comes with the first consent alone, and unsigned: by way of the browser, which may change it. */
function userOf(member: Member, { scopes, consent }: Code): string | undefined {
  const name = { firstName: member.given_name, lastName: member.family_name ?? '' }
  const user = {
    ...(scopes.includes('name') && { name }),
    ...(scopes.includes('email') && { email: emailOf(member, consent).email }),
  }
  return Object.keys(user).length === 0 ? undefined : JSON.stringify(user)
}

function back({ redirect_uri, response_mode }: Request, answer: Readonly<Record<string, string | undefined>>): Onward {
  if (response_mode === 'form_post') return { action: redirect_uri, fields: answer }
  const address = withParameters(redirect_uri, answer)
  if (response_mode === 'query') return address
  return `${redirect_uri}#${address.slice(redirect_uri.length + 1)}`
}

function sharesOf(scopes: readonly string[]): string[] {
  return [
    'Your account id',
    ...(scopes.includes('name') ? ['Your name, when you allow it for the first time'] : []),
    ...(scopes.includes('email') ? ['Your e-mail address, or one that hides it'] : []),
  ]
}
