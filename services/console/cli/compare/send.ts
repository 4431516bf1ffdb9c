import { setTimeout as delay } from 'node:timers/promises'
import { CliError } from '../cli-error.ts'
import type { Io } from '../io.ts'
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
/** Longer than the windows of our limits. */
const maxWaitSeconds = 120

/**
 * Sends a request without following redirects. In the response, the deployment's own addresses are replaced with
 * placeholders, so that they do not count as differences, and its secrets, so that they are never printed. After a 429 it
 * waits as long as the deployment asks for, at most two minutes, and sends the request again.
 *
 * @param title names the request in an error, which does not contain the address because of the key in it
 * @throws CliError `unavailable`
 */
export async function sendComparedRequest(
  request: BuiltRequest,
  { title, name }: { readonly title: string; readonly name: string },
  deployment: Deployment,
  io: Io,
): Promise<ComparedResponse> {
  const send = async () => {
    try {
      return await fetchText(request)
    } catch {
      throw new CliError('unavailable', `"${name}" did not respond to the request "${title}". Check its addresses.`)
    }
  }
  let { response, text } = await send()
  const waitSeconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  if (response.status === 429 && waitSeconds <= maxWaitSeconds) {
    io.printError(`"${name}" limits requests. "${title}" is sent again in ${waitSeconds} s.\n`)
    await delay(waitSeconds * 1_000)
    ;({ response, text } = await send())
  }
  const shown = (value: string | null) => value && hideOwnTexts(value, deployment)
  return {
    status: response.status,
    content_type: shown(response.headers.get('content-type')),
    www_authenticate: shown(response.headers.get('www-authenticate')),
    body: parseBody(hideOwnTexts(text, deployment)),
  }
}

async function fetchText({ address, form, headers = {} }: BuiltRequest) {
  const request = { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) } as const
  const posted = form && ({ method: 'POST', body: new URLSearchParams(form) } as const)
  const response = await fetch(address, { ...request, ...posted })
  return { response, text: await response.text() }
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
