// The login test of `helm test`: an operator sets up a site, a simulated end user logs in, and the Web API returns the user. Afterwards
// it removes the user, the client and the API key. The account `helm-test` with its site remains, because neither can be deleted.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'

const {
  CONSOLE,
  WEB_API,
  AUTHORIZATION,
  AUTH_URL,
  SIMULATOR_URL,
  SIMULATOR_INTERNAL_URL,
  RETRY_SECONDS = '30',
} = process.env
const operatorToken = readFileSync(process.env.OPERATOR_TOKEN_FILE, 'utf8').trim()
const retryUntil = Date.now() + 1_000 * RETRY_SECONDS
const account = 'helm-test'
const site = `/accounts/${account}/sites/helm-test`
const provider = 'search'
const redirectUri = 'https://helm-test.invalid/callback'
const cookies = new Map()
let step = ''

/** Sends a request to a public URL, at its address in the cluster. @throws unless it returns one of the statuses */
async function send(url, { statuses = [200], form, json, headers = {}, method = form || json ? 'POST' : 'GET' } = {}) {
  const response = await fetch(toInternal(url), {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
    headers: {
      ...headers,
      ...(json && { 'content-type': 'application/json' }),
      ...(url.startsWith(AUTH_URL) && { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
    },
    body: json ? JSON.stringify(json) : form && new URLSearchParams(form),
  })
  for (const cookie of url.startsWith(AUTH_URL) ? response.headers.getSetCookie() : []) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)
    cookies.set(name, value)
  }
  const text = await response.text()
  // Without the query and the body, which can contain secrets.
  if (!statuses.includes(response.status)) throw new Error(`${url.replace(/\?.*/, '')} answered ${response.status}`)
  return { text, location: response.headers.get('location') ?? '', revision: response.headers.get('etag') }
}

function toInternal(url) {
  if (url.startsWith(AUTH_URL)) return `http://${AUTHORIZATION}${url.slice(AUTH_URL.length)}`
  return url.startsWith(SIMULATOR_URL) ? `${SIMULATOR_INTERNAL_URL}${url.slice(SIMULATOR_URL.length)}` : url
}

/** Calls the Admin API. Returns the body and the resource's revision. */
async function manage(path, { headers, ...options } = {}) {
  const { text, revision } = await send(`http://${CONSOLE}/admin/v1${path}`, {
    ...options,
    headers: { authorization: `Bearer ${operatorToken}`, ...headers },
  })
  return { ...(text !== '' && JSON.parse(text)), revision }
}

/** Repeats what takes effect a moment later. */
async function retry(work) {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > retryUntil) throw error
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}

async function test(title, work) {
  step = title
  const result = await work()
  console.log(`ok    ${title}`)
  return result
}

const cleanUp = []
try {
  const { client, client_secret, api_key, settings } = await test('an operator sets up a site', async () => {
    await retry(() => manage('/accounts', { json: { account, name: 'helm test' }, statuses: [200, 409] }))
    const newSite = { site_id: 'helm-test', name: 'helm test', kind: 'development' }
    await manage(`/accounts/${account}/sites`, { json: newSite, statuses: [200, 409] })
    const newClient = { kind: 'confidential', name: 'helm test', redirect_uris: [redirectUri] }
    const { client, client_secret } = await manage(`${site}/clients`, { json: newClient })
    cleanUp.push(() => manage(`${site}/clients/${client.client_id}`, { method: 'DELETE', statuses: [200, 204] }))
    const atProvider = { client_id: 'helm-test', client_secret: randomBytes(32).toString('hex') }
    const { revision } = await manage(`${site}/providers/${provider}`)
    const change = { json: atProvider, method: 'PUT', headers: { 'if-match': revision } }
    const settings = await manage(`${site}/providers/${provider}`, change)
    const registration = { provider, ...atProvider, redirect_uris: [settings.provider_callback] }
    await send(`${SIMULATOR_URL}/clients`, { json: registration, statuses: [201] })
    const { api_key, api_key_id } = await manage(`${site}/keys`, { json: { name: 'helm test' } })
    cleanUp.push(() => manage(`${site}/keys/${api_key_id}`, { method: 'DELETE', statuses: [200, 204] }))
    return { client, client_secret, api_key, settings }
  })
  const { client_id } = client

  const code = await test('an end user logs in at the simulator', async () => {
    const parameters = {
      response_type: 'code',
      scope: 'openid',
      client_id,
      redirect_uri: redirectUri,
      state: 'helm-test',
    }
    const atProvider = await retry(() => {
      return send(`${settings.authorize_uri}?${new URLSearchParams(parameters)}`, { statuses: [302] })
    })
    const page = await send(atProvider.location)
    const [, action] = /<form[^>]* action="([^"]+)"/.exec(page.text) ?? []
    const [, handle] = /name="handle" value="([^"]+)"/.exec(page.text) ?? []
    if (!action || !handle) throw new Error('the page of the simulator has no sign-in form')
    const form = { handle, user: 'Helm Test', decision: 'allow' }
    const callback = await send(new URL(action, atProvider.location).href, { form, statuses: [302, 303] })
    const { location } = await send(callback.location, { statuses: [302, 303] })
    const returned = new URL(location).searchParams
    if (!returned.has('code')) throw new Error(`the application received ${returned.get('error') ?? 'no code'}`)
    return returned.get('code')
  })

  const identifier = await test('the application exchanges the code', async () => {
    const authorization = `Basic ${btoa(`${client_id}:${client_secret}`)}`
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
    const { text } = await send(`${AUTH_URL}/oauth2/token`, { form, headers: { authorization } })
    const [, claims] = JSON.parse(text).id_token.split('.')
    return JSON.parse(Buffer.from(claims, 'base64url')).sub
  })

  await test('the Web API returns the user, and deletes them', async () => {
    const call = (operation) => {
      return send(`http://${WEB_API}/api/${operation}?${new URLSearchParams({ identifier })}`, {
        headers: { 'x-api-key': api_key },
      })
    }
    cleanUp.push(() => call('delete_user'))
    await retry(() => call('profile'))
    await call('delete_user')
    cleanUp.pop()
  })
} catch (error) {
  process.exitCode = 1
  console.error(`WRONG ${step}: ${error.message}${error.cause ? `, ${error.cause.code ?? error.cause.message}` : ''}`)
} finally {
  for (const work of cleanUp.reverse()) await work().catch((error) => console.error(`Not removed: ${error.message}`))
}
