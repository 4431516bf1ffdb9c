import { type Context, type Parameters, readParameters } from '#http'
import { newToken } from '#runtime'
import { wordsOf } from '../../oauth.ts'
import { redirect, withParameters } from '../../redirect.ts'
import { acceptCallback, problemOf, scopesOf } from './request.ts'
import { bothForms } from './scopes.ts'
import { type Code, consentOf, memberNamed, type Search } from './state.ts'

const provider = { name: 'search', title: 'Search' }

/**
 * `GET /o/oauth2/v2/auth`. A wrong client or callback address gives a page; every later answer goes back with `iss` (RFC 9207)
 * in it. Which of the later errors the real provider shows on a page of its own is not documented.
 */
export function authorize(ctx: Context, search: Search): void {
  const request = readParameters(ctx.querystring)
  const { values } = request
  const accepted = acceptCallback(request, search)
  if ('refusal' in accepted) {
    const { status, error, refusal } = accepted
    search.render.refusal(ctx, status, { heading: `Error ${status}: ${error}`, message: refusal, provider })
    return
  }
  const { client, redirect_uri } = accepted
  const back = (parameters: Record<string, string | undefined>) =>
    withParameters(redirect_uri, { state: values.get('state'), iss: search.issuer, ...parameters })

  const problem = problemOf(request)
  if (problem !== undefined) {
    redirect(ctx, back({ error: problem.error, error_description: problem.description }))
    return
  }

  const { client_id } = client
  const scopes = scopesOf(request)
  const offline = values.get('access_type') === 'offline'
  const consent_wanted = wordsOf(values.get('prompt')).includes('consent')
  search.sign_in.ask(ctx, {
    provider,
    client,
    redirect_uri,
    shares: sharesOf(scopes, offline),
    allow(name) {
      const { consent, asked } = consentOf(search, client_id, memberNamed(name, search))
      const with_refresh_token = offline && (consent_wanted || !consent.offline)
      consent.offline ||= offline
      // With a slash in it, as at the real provider.
      const code = newToken('4/0A')
      const [nonce, challenge] = [values.get('nonce'), challengeOf(request)]
      search.codes.set(code, { client_id, name, scopes, consent, redirect_uri, nonce, challenge, with_refresh_token })
      const prompt = asked || consent_wanted || with_refresh_token ? 'consent' : 'none'
      return back({ code, scope: bothForms(scopes), authuser: '0', prompt })
    },
    deny: () => back({ error: 'access_denied' }),
  })
}

function sharesOf(scopes: readonly string[], offline: boolean): string[] {
  return [
    'Your account id',
    ...(scopes.includes('profile') ? ['Your name and picture'] : []),
    ...(scopes.includes('email') ? ['Your e-mail address'] : []),
    ...(offline ? ['All this also while you are away'] : []),
  ]
}

function challengeOf({ values }: Parameters): Code['challenge'] {
  const text = values.get('code_challenge')
  const method = values.get('code_challenge_method') === 'S256' ? 'S256' : 'plain'
  return text === undefined ? undefined : { text, method }
}
