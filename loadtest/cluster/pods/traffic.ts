// The traffic of `npm run check:cluster`, in a pod: servers of a customer that call the Web API, and end users who log in at the
// provider simulator. A request to port 9999 returns what happened since the last one, as JSON.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const [webApi, authorization, adminConsole] = ['WEB_API', 'AUTHORIZATION', 'CONSOLE'].map(
  (name) => `http://${read(name)}`,
)
const publicAuthorization = read('AUTH_URL')
const [publicSimulator, simulator] = [read('SIMULATOR_URL'), read('SIMULATOR_INTERNAL_URL')]
const operatorToken = readFileSync(read('OPERATOR_TOKEN_FILE'), 'utf8').trim()

/** As a reverse proxy that uses its connections again, and as a load balancer that opens one for each request. */
const kept = new http.Agent({ keepAlive: true })
const fresh = new http.Agent({ keepAlive: false })
const clients = { kept: 6, fresh: 4, logins: 2 }
const pauseMs = { call: 200, login: 1_000, repeat: 200 }
const requestMs = 10_000
/** How long a client repeats a request with its Idempotency-Key. */
const repeatMs = 10_000

const provider = 'search'
const redirectUri = 'https://cluster-check.invalid/callback'

function read(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

interface RequestOptions {
  readonly agent?: http.Agent
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
}

interface Answer {
  readonly text: string
  readonly headers: http.IncomingHttpHeaders
}

/** Sends a request. @throws Error unless it returns one of the statuses; without the query, which can contain secrets */
function request(statuses: readonly number[], url: string, options: RequestOptions = {}): Promise<Answer> {
  const { agent = kept, form, json } = options
  const body = json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json)
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
  const ofBody = body && { 'content-type': type, 'content-length': Buffer.byteLength(body) }
  const method = options.method ?? (body === undefined ? 'GET' : 'POST')
  return new Promise((resolve, reject) => {
    const sent = http.request(url, { agent, method, headers: { ...ofBody, ...options.headers }, timeout: requestMs })
    sent.on('timeout', () => sent.destroy(new Error(`no answer in ${requestMs} ms`)))
    sent.on('error', reject)
    sent.on('response', (response) => {
      const { statusCode = 0, headers } = response
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        if (statuses.includes(statusCode)) resolve({ text: Buffer.concat(parts).toString(), headers })
        else reject(new Error(`${url.replace(/\?.*/, '')} answered ${statusCode}`))
      })
    })
    sent.end(body)
  })
}

interface Site {
  readonly client_id: string
  readonly client_secret: string
  readonly api_key: string
  readonly authorize_uri: string
}

async function manage(path: string, options: RequestOptions, statuses: readonly number[] = [200]): Promise<Answer> {
  const headers = { authorization: `Bearer ${operatorToken}`, ...options.headers }
  return request(statuses, `${adminConsole}/admin/v1${path}`, { ...options, headers })
}

/** Creates an account, a site, a client and an API key, and sets up a provider. */
async function createSite(): Promise<Site> {
  const account = 'cluster-check'
  await manage('/accounts', { json: { account, name: account } }, [200, 409])
  const site = `/accounts/${account}/sites/shop`
  const newSite = { site_id: 'shop', name: 'Shop', kind: 'development' }
  await manage(`/accounts/${account}/sites`, { json: newSite }, [200, 409])
  const newClient = { kind: 'confidential', name: 'Shop', redirect_uris: [redirectUri] }
  const { client, client_secret } = JSON.parse((await manage(`${site}/clients`, { json: newClient })).text)
  const atProvider = { client_id: `shop-${randomUUID()}`, client_secret: randomUUID() }
  const before = await manage(`${site}/providers/${provider}`, {})
  const ifMatch = { 'if-match': before.headers.etag ?? '' }
  const change = { method: 'PUT', json: atProvider, headers: ifMatch }
  const { provider_callback, authorize_uri } = JSON.parse((await manage(`${site}/providers/${provider}`, change)).text)
  const registration = { provider, ...atProvider, redirect_uris: [provider_callback] }
  await request([201], `${simulator}/clients`, { json: registration })
  const { api_key } = JSON.parse((await manage(`${site}/keys`, { json: { name: randomUUID() } })).text)
  return { client_id: client.client_id, client_secret, api_key, authorize_uri }
}

/** The address in the cluster of a public one. */
function toInternal(url: string): string {
  if (url.startsWith(publicAuthorization)) return `${authorization}${url.slice(publicAuthorization.length)}`
  return url.startsWith(publicSimulator) ? `${simulator}${url.slice(publicSimulator.length)}` : url
}

/** A whole login in a new browser. @returns the user's identifier */
async function logIn({ client_id, client_secret, authorize_uri }: Site, user: string): Promise<string> {
  const cookies = new Map<string, string>()
  const visit = async (url: string, statuses: readonly number[], form?: RequestOptions['form']) => {
    const isOurs = url.startsWith(publicAuthorization)
    const headers = isOurs ? { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') } : {}
    const answer = await request(statuses, toInternal(url), { agent: fresh, headers, ...(form && { form }) })
    for (const line of isOurs ? (answer.headers['set-cookie'] ?? []) : []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return { text: answer.text, location: answer.headers.location ?? '' }
  }
  const parameters = { response_type: 'code', scope: 'openid', client_id, redirect_uri: redirectUri, state: 'check' }
  const { location: atProvider } = await visit(`${authorize_uri}?${new URLSearchParams(parameters)}`, [302])
  const page = await visit(atProvider, [200])
  const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page.text) ?? []
  const [, handle = ''] = /name="handle" value="([^"]+)"/.exec(page.text) ?? []
  const decision = { handle, user, decision: 'allow' }
  const { location: callback } = await visit(new URL(action, atProvider).href, [302, 303], decision)
  const { location } = await visit(callback, [302, 303])
  const returned = new URL(location).searchParams
  const code = returned.get('code')
  if (code === null) throw new Error(`the application received ${returned.get('error')}`)
  const { text } = await request([200], `${authorization}/oauth2/token`, {
    form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
    headers: { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` },
    agent: fresh,
  })
  const [, claims = ''] = JSON.parse(text).id_token.split('.')
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).sub
}

type Kind = 'calls' | 'logins'

/** As described in loadtest/cluster/traffic.ts. */
const newCounts = () => ({
  calls: 0,
  logins: 0,
  repeated: 0,
  failed: 0,
  slowest_ms: 0,
  reasons: {} as Record<string, number>, // an empty literal has no values
})
let counts = newCounts()

/** Counts an action, and repeats it while it has no definite answer. @returns undefined if it has none */
async function act<T>(kind: Kind, work: () => Promise<T>): Promise<T | undefined> {
  const startedAt = performance.now()
  for (let isRepeated = false; performance.now() < startedAt + repeatMs; isRepeated = true) {
    try {
      const result = await work()
      counts[kind]++
      if (isRepeated) counts.repeated++
      else counts.slowest_ms = Math.max(counts.slowest_ms, performance.now() - startedAt)
      return result
    } catch (error) {
      const reason = `${kind}: ${error instanceof Error ? error.message : error}`
      console.error(`${new Date().toISOString()} ${reason}`)
      counts.reasons[reason] = (counts.reasons[reason] ?? 0) + 1
      await sleep(pauseMs.repeat)
    }
  }
  counts.failed++
  return undefined
}

/** Reads a user's profile, and maps the user to an ID of the customer and back. A write that was answered must be found. */
async function callWebApi({ api_key }: Site, identifier: string, agent: http.Agent): Promise<void> {
  const readUser = (user: Record<string, string>) => {
    const url = `${webApi}/api/profile?${new URLSearchParams(user)}`
    return act('calls', () => request([200], url, { agent, headers: { 'x-api-key': api_key } }))
  }
  const write = (operation: string, form: Record<string, string>) => {
    const headers = { 'x-api-key': api_key, 'idempotency-key': randomUUID() }
    return act('calls', () => request([200], `${webApi}/api/${operation}`, { agent, headers, form }))
  }
  const primaryKey = randomUUID()
  await readUser({ identifier })
  await sleep(pauseMs.call)
  const mapped = await write('map', { identifier, primary_key: primaryKey, overwrite: 'true' })
  await sleep(pauseMs.call)
  if (mapped !== undefined) await readUser({ primary_key: primaryKey })
  await sleep(pauseMs.call)
  await write('unmap', { identifier })
}

async function repeatForever(pause: number, work: () => Promise<unknown>): Promise<never> {
  for (;;) {
    await work()
    await sleep(pause)
  }
}

/** Where network policies are enforced, a new pod cannot connect until the network plugin knows its address. */
async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 60) throw error
      await sleep(500)
    }
  }
}

const site = await retry(createSite)
for (let index = 0; index < clients.kept + clients.fresh; index++) {
  const identifier = await retry(() => logIn(site, `Customer ${index}`))
  void repeatForever(pauseMs.call, () => callWebApi(site, identifier, index < clients.kept ? kept : fresh))
}
for (let index = 0; index < clients.logins; index++)
  void repeatForever(pauseMs.login, () => act('logins', () => logIn(site, `End user ${index}`)))

const server = http.createServer((_, response) => {
  response.end(JSON.stringify(counts))
  counts = newCounts()
})
server.listen(9999)
