import { CliError } from '../cli-error.ts'
import type { Deployment } from './deployment.ts'
import type { BuiltRequest } from './requests.ts'

/** What of a response is compared. */
export interface ComparedResponse {
  readonly status: number
  readonly content_type: string | null
  readonly www_authenticate: string | null
  /** Parsed JSON, or nothing for another format. */
  readonly body: unknown
}

/** Our choice. */
const timeoutMs = 10_000

/**
 * Sends a request without following redirects. In the response, the deployment's own addresses are replaced with
 * placeholders, so that they do not count as differences, and its secrets, so that they are never printed.
 *
 * @param title names the request in an error, which does not contain the address because of the key in it
 * @throws CliError `unavailable`
 */
export async function sendComparedRequest(
  { address, form, headers = {} }: BuiltRequest,
  { title, name }: { readonly title: string; readonly name: string },
  deployment: Deployment,
): Promise<ComparedResponse> {
  const request = { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) } as const
  let response: Response
  let text: string
  try {
    response = await fetch(address, form ? { ...request, method: 'POST', body: new URLSearchParams(form) } : request)
    text = await response.text()
  } catch {
    throw new CliError('unavailable', `"${name}" did not respond to the request "${title}". Check its addresses.`)
  }
  const shown = (value: string | null) => value && hideOwnTexts(value, deployment)
  return {
    status: response.status,
    content_type: shown(response.headers.get('content-type')),
    www_authenticate: shown(response.headers.get('www-authenticate')),
    body: parseBody(hideOwnTexts(text, deployment)),
  }
}

function hideOwnTexts(text: string, deployment: Deployment): string {
  const { userinfo_url, web_api_url, auth_url, client_id = '' } = deployment
  const secrets = [deployment.api_key, deployment.client_secret, deployment.expired_access_token]
  const replaced: [string, string][] = [
    ...secrets.map((secret = ''): [string, string] => [secret, '(secret)']),
    [userinfo_url, '(userinfo_url)'],
    [web_api_url, '(web_api_url)'],
    [auth_url, '(auth_url)'],
    [client_id, '(client_id)'],
  ]
  return replaced.reduce((all, [own, placeholder]) => (own === '' ? all : all.replaceAll(own, placeholder)), text)
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
