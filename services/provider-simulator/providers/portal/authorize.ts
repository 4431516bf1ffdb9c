import { type Context, readForm, readParameters } from '#http'
import { newToken } from '#runtime'
import { nowSeconds, wordsOf } from '../../oauth.ts'
import { redirect, withParameters } from '../../redirect.ts'
import { redirected } from './errors.ts'
import { acceptCallback, problemOf } from './request.ts'
import type { Portal } from './state.ts'

const provider = { name: 'portal', title: 'Portal' }

/** `GET|POST /yconnect/v2/authorization`. A wrong client or callback address gives a page; every later error goes back. */
export async function authorize(ctx: Context, portal: Portal): Promise<void> {
  const request = ctx.method === 'POST' ? await readForm(ctx.req) : readParameters(ctx.querystring)
  const { values } = request
  const accepted = acceptCallback(request, portal)
  if ('refusal' in accepted) {
    portal.render.refusal(ctx, 400, { heading: 'This request cannot go on', message: accepted.refusal, provider })
    return
  }
  const { client, redirect_uri } = accepted
  const back = (parameters: Record<string, string | undefined>) =>
    withParameters(redirect_uri, { ...parameters, state: values.get('state') })

  const problem = problemOf(request)
  if (problem !== undefined) {
    redirect(ctx, back(redirected(problem)))
    return
  }

  const scopes = wordsOf(values.get('scope'))
  portal.sign_in.ask(ctx, {
    provider,
    client,
    redirect_uri,
    shares: sharesOf(scopes),
    allow(name) {
      const code = newToken('', 24)
      portal.codes.set(code, {
        client_id: client.client_id,
        name,
        scopes,
        redirect_uri,
        nonce: values.get('nonce'),
        code_challenge: values.get('code_challenge'),
        auth_time: nowSeconds(),
      })
      return back({ code })
    },
    // The application hears of it only when it asked to, and then without an error.
    deny: () => (values.get('bail') === '1' ? back({}) : `${portal.url}/portal/`),
  })
}

/** `GET /`: where people land who do not agree to an application that did not ask to have them back. */
export function showTopPage(ctx: Context, { render }: Portal): void {
  const message =
    'You did not agree, and the way ends here: the application did not send bail=1, so that it never hears of it.'
  render.refusal(ctx, 200, { heading: 'Top page of the portal', message, provider })
}

function sharesOf(scopes: readonly string[]): string[] {
  return [
    'Your account id',
    ...(scopes.includes('profile') ? ['Your name, nickname, picture, gender and year of birth'] : []),
    ...(scopes.includes('email') ? ['Your e-mail address'] : []),
    ...(scopes.includes('address') ? ['Your address, without the street'] : []),
  ]
}
